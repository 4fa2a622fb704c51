// A compute shader.
struct Particle {
    @location(0) position: vec2<f32>,
    velocity: vec2<f32>,
}

struct Params { delta: f32, count: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
@group(1) @binding(0) var image: texture_2d<f32>;
const limit: u32 = 0x10u;
var<private> seed: i32 = -3;
alias Pair = vec2<u32>;

fn noise(at: vec2<f32>, scale: f32) -> f32 {
    let value = fract(sin(dot(at, vec2<f32>(12.9, 78.2))) * 1.5e3);
    return select(value, 1.0 - value, scale > 0.5);
}

@compute @workgroup_size(64, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if (index >= params.count || index == limit) {
        return;
    } else if (index % 2u == 0u) {
        seed += 1;
    }
    var total: f32 = 0.0;
    for (var i: u32 = 0u; i < limit; i++) {
        if (i == 3u) { continue; }
        total += noise(particles[i].position, f32(i));
    }
    loop {
        total *= 0.5;
        if (total < 1.0) { break; }
    }
    switch (seed) {
        case 1, 2: { total = -total; }
        default: { }
    }
    particles[index].velocity.x = total;
}

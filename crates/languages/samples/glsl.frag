#version 450 core
#define STEPS 4

layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 1) uniform sampler2D image;
uniform Light {
    vec4 position;
    float strength[STEPS];
} light;
const vec3 up = vec3(0.0, 1.0, 0.0);

struct Ray { vec3 origin; vec3 direction; };

float fade(in float distance, inout float total) {
    if (distance <= 0.0) discard;
    total += 1.0 / (distance * distance);
    return clamp(total, 0.0, 1.0);
}

void main() {
    Ray ray = Ray(up, normalize(normal));
    float total = 0.5e-1, weights[2] = float[2](1.0, 2.0);
    for (int i = 0; i < STEPS; ++i) {
        if ((i & 1) == 0 && total > .25) continue;
        else total *= light.strength[i];
    }
    while (total > 1.0) { total -= 1.0; }
    switch (STEPS) {
    case 4: total = -total; break;
    default: return;
    }
    mat3 turn = mat3(1.0);
    colour = texture(image, ray.origin.xy).rgba * (total > 0.5 ? 1.0 : fade(total, total));
    colour.xyz = turn * colour.zyx;
}

// A pixel shader.
#define STEPS 4

cbuffer Params
{
    float4x4 world;
    float3 light;
    uint count;
};
Texture2D<float4> image : register(t0);
SamplerState linearSampler : register(s0);
RWStructuredBuffer<float> results : register(u0);

struct Input
{
    float4 position : SV_Position;
    float2 uv : TEXCOORD0;
};

float fade(in float distance, inout float total)
{
    total += 1.0f / (distance * distance);
    return saturate(total);
}

float4 main(Input input) : SV_Target
{
    float total = 0.5f;
    for (int i = 0; i < STEPS; ++i)
    {
        if (i == 2 && total > 0.25)
            continue;
        total *= fade(i, total);
    }
    float4 colour = image.Sample(linearSampler, input.uv);
    if (colour.a <= 0)
        discard;
    return mul(world, colour).xyzw * total;
}

[numthreads(64, 1, 1)]
void compute(uint3 id : SV_DispatchThreadID)
{
    results[id.x] = id.x < count ? 1.0 : -1.0;
}

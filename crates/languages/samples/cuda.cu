// Adds two vectors on the device.
#include <cuda_runtime.h>

#define BLOCK 256
__constant__ float factors[4];
__device__ int counter = 0;

template <typename T>
__device__ __forceinline__ T square(T x) { return x * x; }

__global__ void add(const float *__restrict__ a, float *b, int n)
{
    __shared__ float tile[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 0.5f) {
        tile[threadIdx.x] = square(a[i]);
        __syncthreads();
        b[i] += tile[threadIdx.x] * factors[i & 3];
        atomicAdd(&counter, 1);
    }
}

int main()
{
    float *a = nullptr, *b;
    cudaMalloc((void **)&a, 100 * sizeof(float));
    dim3 grid(4, 1), block(BLOCK);
    add<<<grid, block, 0, stream>>>(a, b, 100);
    for (int i = 0; i < 3; ++i)
        add<<<1, 32>>>(a, b, i);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

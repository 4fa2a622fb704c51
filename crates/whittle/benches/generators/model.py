"""Makes inputs, and prints the processor time that it took."""

import random
import sys
import time


OPS = {"add": 2, "relu": 1, "conv": 2, "concat": 3, "split": 1, "gemm": 3}

def model(size):
    tensors = [tuple(random.randint(1, 8) for _ in range(random.randint(1, 4))) for _ in range(3)]
    nodes = []
    for i in range(size):
        op = random.choice(sorted(OPS))
        inputs = []
        for _ in range(OPS[op]):
            if random.random() < 0.1:
                tensors.append(tuple(random.randint(1, 8) for _ in range(2)))
            inputs.append(random.randrange(len(tensors)))
        shape = tensors[inputs[0]]
        if op == "concat":
            shape = tuple(sum(tensors[k][0] for k in inputs) for _ in shape)
        elif op == "split":
            shape = tuple(max(1, d // 2) for d in shape)
        tensors.append(shape)
        nodes.append("%s(%s) -> %s" % (op, ", ".join(map(str, inputs)), "x".join(map(str, shape))))
    return "\n".join(nodes)

random.seed(2)
start = time.process_time()
for _ in range(int(sys.argv[1]) if sys.argv[1:] else 80):
    model(random.randint(50, 100))
print("%.4f" % (time.process_time() - start))

"""Makes inputs, and prints the processor time that it took."""

import random
import sys
import time


rng = random.Random(5)

def expression(depth):
    if depth > 6 or rng.random() < 0.3:
        return rng.choice(["x", "y", str(rng.randint(0, 99))])
    return "(%s %s %s)" % (expression(depth + 1), rng.choice("+-*/"), expression(depth + 1))
start = time.process_time()
for _ in range(int(sys.argv[1]) if sys.argv[1:] else 600):
    expression(0)
print("%.4f" % (time.process_time() - start))

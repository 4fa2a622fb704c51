"""Makes inputs, and prints the processor time that it took."""

import random
import sys
import time


def graph(nodes, edges):
    names = []
    for i in range(nodes):
        names.append("v%d" % i)
    lines = ["graph {"]
    for name in names:
        lines.append("  %s;" % name)
    seen = set()
    for _ in range(edges):
        a, b = random.choice(names), random.choice(names)
        if a != b and (a, b) not in seen:
            seen.add((a, b))
            lines.append("  %s -- %s [weight=%d];" % (a, b, random.randint(1, 100)))
    lines.append("}")
    return "\n".join(lines)

random.seed(1)
start = time.process_time()
for _ in range(int(sys.argv[1]) if sys.argv[1:] else 60):
    graph(random.randint(50, 100), random.randint(100, 200))
print("%.4f" % (time.process_time() - start))

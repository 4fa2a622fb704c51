import random
import sys

random.seed(int(sys.argv[1]))


def tree(depth):
    letters = "abcdef"[:depth] + "abcdef"[depth + 1:]
    text = random.choice(letters) + "("
    for _ in range(random.randint(0, 3 - depth)):
        text += tree(depth + 1)
    if random.choice([False, True]):
        text += str(random.randint(10, 99))
    return text + ")"


print(tree(0))

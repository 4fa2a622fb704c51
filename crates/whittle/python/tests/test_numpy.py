"""numpy, where it is installed."""

import copy
import importlib.util
import unittest

from .common import Case, tell
from .test_outputs import OutputsCase

EVERYTHING = """
    import sys
    import numpy as np
    from numpy.random import default_rng, randint
    np.random.seed(int(sys.argv[1]))
    print(randint(5), np.random.rand(2), np.random.randn(), np.random.choice(["a", "b", "c"]), np.random.randint(1, 7, 3))
    print(np.random.permutation(4), np.random.uniform(1, 2), np.random.normal(0, 1, size=2), np.random.poisson(3))
    rng = default_rng(int(sys.argv[1]))
    items = [1, 2, 3, 4]
    rng.shuffle(items)
    print(items, rng.integers(10), rng.integers(0, 5, size=(2, 2)), rng.random(), rng.choice(10, 3, replace=False))
    print(rng.choice(np.arange(5), 2), rng.standard_normal(2), rng.permutation([5, 6, 7]), rng.integers(3, endpoint=True))
    state = np.random.RandomState(3)
    print(state.randint(100), state.random_sample(), isinstance(rng, np.random.Generator), state.choice(9))
"""


@unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
class Numpy(Case):
    def test_a_seed_makes_what_it_makes_without_us(self):
        self.write("gen.py", EVERYTHING)
        for seed in ("1", "2"):
            ran = self.traced("gen.py", seed)
            self.assertEqual(ran.status, 0, ran.stderr)
            self.assertEqual(ran.stdout, self.plain("gen.py", seed))

    def test_a_replay_makes_the_same_whatever_the_seed(self):
        self.write("gen.py", EVERYTHING)
        first = self.traced("gen.py", "1")
        # What has a seed of its own in the program is told as well.
        again = self.traced("gen.py", "2", script=first.records[:-1], WHITTLE_TRACE_MISFIT="halt")
        self.assertEqual((again.stdout, again.records), (first.stdout, first.records))

    def test_values_can_be_told(self):
        self.write("gen.py", "import numpy as np\nprint(np.random.randint(3, 9, 2), np.random.permutation(3))\n")
        script = copy.deepcopy(self.traced("gen.py").records[:-1])
        draws = [record for record in script if record["do"] == "draw"]
        for draw, values in zip(draws, ([0], [5], [2, 1, 0])):
            tell(draw, *values)
        self.assertEqual(self.traced("gen.py", script=script).stdout, "[3 8] [2 1 0]\n")


@unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
class NumpyOutputs(OutputsCase):
    def test_draws_follow_what_came_out(self):
        self.write("gen.py", "import sys\nimport numpy as np\nrng = np.random.default_rng()\n" + """x = eval(sys.argv[1])
print(eval(sys.argv[2]))
""")
        for source in ("np.random", "rng"):
            self.check("list('abcd')", "list('xdcba')", source + ".choice(x)")
            self.check("list('abcd')", "list('xdcba')", source + ".choice(x, 3)")
            self.check("list('abcd')", "list('xdcba')", source + ".choice(x, 3, replace=False)")
            self.check("3", "4", source + ".choice(x, p=[0.5, 0, 0.5, 0][:x])")
            self.check("[[1, 2], [3, 4]]", "[[3, 4], [1, 2]]", source + ".permutation(x)")
            self.check("list('abcd')", "list('dcba')", source + ".shuffle(x) or x")
        self.check("3", "2", "np.random.randint(x, 9, 2)")
        self.check("3", "2", "rng.integers(x, 9)")

"""The random module: everything is seen, and nothing comes out otherwise than without us."""

import copy

from .common import Case, tell

EVERYTHING = """
    import random, sys
    from random import choice, Random, SystemRandom
    random.seed(int(sys.argv[1]))
    mine = Random(5)
    items = list("abcdef")
    print(random.random(), random.randint(3, 9), choice(items), random.uniform(1, 2), random.getrandbits(7))
    print(random.getrandbits(100), random.randrange(10 ** 30), random.gauss(0, 1), random.betavariate(1, 2))
    random.shuffle(items)
    print(items, random.sample(items, 3), random.sample(range(1000), 4), random.choices(items, k=3))
    print(random.choices("xyz", weights=[1, 5, 1], k=2), mine.choice("pqr"), mine.random(), random.expovariate(2))
    print(random.triangular(), random.randbytes(3), random.sample("aab", 2, counts=None))
"""


class Randomness(Case):
    def test_a_seed_makes_what_it_makes_without_us(self):
        self.write("gen.py", EVERYTHING)
        for seed in ("1", "2", "77"):
            self.assertEqual(self.traced("gen.py", seed).stdout, self.plain("gen.py", seed))

    def test_a_replay_makes_the_same_whatever_the_seed(self):
        self.write("gen.py", EVERYTHING)
        first = self.traced("gen.py", "1")
        self.assertEqual(first.status, 0, first.stderr)
        again = self.traced("gen.py", "2", script=first.records[:-1], WHITTLE_TRACE_MISFIT="halt")
        self.assertEqual(again.stdout, first.stdout)
        self.assertEqual(again.records, first.records)

    def test_system_randomness_is_seen_too(self):
        self.write("gen.py", "import random, secrets\nprint(random.SystemRandom().random(), secrets.randbelow(1000))\n")
        first = self.traced("gen.py")
        again = self.traced("gen.py", script=first.records[:-1])
        self.assertEqual((len(first.draws()), again.stdout), (2, first.stdout))

    def test_ranges_and_kinds(self):
        self.write("gen.py", EVERYTHING)
        draws = self.traced("gen.py", "1").draws()
        kinds = [(draw["kind"], draw["max"]) for draw in draws[:6]]
        self.assertEqual(kinds[:3], [("fraction", 2**53 - 1), ("integer", 6), ("integer", 5)])
        self.assertEqual({draw["kind"] for draw in draws}, {"fraction", "integer", "wide", "arrangement"})
        self.assertTrue(draws[1]["site"].startswith("randint gen.py:7:"), draws[1]["site"])

    def test_a_draw_of_one_possible_value_is_recorded(self):
        self.write("gen.py", "import random\nprint(random.choice([7]))\n")
        self.assertEqual([draw["max"] for draw in self.traced("gen.py").draws()], [0])

    def test_values_can_be_told(self):
        self.write("gen.py", "import random\nx = list('abcd')\nrandom.shuffle(x)\nprint(*x, random.randint(10, 19))\n")
        script = copy.deepcopy(self.traced("gen.py").records[:-1])
        tell(script[0], 3, 2, 1, 0)
        tell(script[1], 4)
        self.assertEqual(self.traced("gen.py", script=script).stdout, "d c b a 14\n")

    def test_an_arrangement_of_other_things_is_made_to_fit(self):
        self.write("gen.py", "import random, sys\nx = list('abcdef')[:int(sys.argv[1])]\nrandom.shuffle(x)\nprint(*x)\n")
        script = copy.deepcopy(self.traced("gen.py", "5").records[:-1])
        tell(script[0], 4, 3, 1, 0, 2)
        self.assertEqual(self.traced("gen.py", "3", script=script).stdout, "b a c\n")
        self.assertEqual(self.traced("gen.py", "6", script=script).stdout, "e d b a c f\n")

    def test_gauss_and_all_that_is_made_of_fractions_stays_in_step(self):
        self.write("gen.py", "import random\nprint([random.gauss(0, 1) for _ in range(5)], random.random())\n")
        first = self.traced("gen.py")
        self.assertEqual(self.traced("gen.py", script=first.records[:-1]).stdout, first.stdout)

    def test_a_budget_ends_a_program_that_draws_on_and_on(self):
        self.write("gen.py", "import random\nwhile True:\n    random.random()\n")
        ran = self.traced("gen.py", WHITTLE_TRACE_BUDGET="50")
        self.assertEqual((ran.end["outcome"], len(ran.draws())), ("over-budget", 50))

"""Draws are matched by what came out: a recorded choice is made again wherever its element is now."""

from .common import Case

# The first argument is the list to draw from, the second the expression that draws.
PROGRAM = """
    import enum, random, sys
    class Color(enum.Enum):
        RED = 1
        BLUE = 2
    def f(): pass
    def g(): pass
    class Thing:
        def __repr__(self): return "thing"
    x = eval(sys.argv[1])
    print(eval(sys.argv[2]))
"""


class OutputsCase(Case):
    """Replays draws from other lists than those that were recorded."""

    def replayed(self, before, after, draw, **variables):
        """What is drawn from `before`, and what a replay of that draws from `after`."""
        first = self.traced("gen.py", before, draw)
        self.assertEqual(first.status, 0, first.stderr)
        again = self.traced("gen.py", after, draw, script=first.records[:-1], **variables)
        self.assertEqual(again.status, 0, again.stderr)
        return first, again

    def check(self, before, after, draw):
        """The replay draws the same from `after`, also strictly."""
        for misfit in ("re-align", "halt"):
            first, again = self.replayed(before, after, draw, WHITTLE_TRACE_MISFIT=misfit)
            self.assertEqual((again.stdout, again.end["outcome"]), (first.stdout, "complete"), (before, after, draw))
            self.assertEqual(again.end["misaligned"], 0)


class Outputs(OutputsCase):
    def setUp(self):
        super().setUp()
        self.write("gen.py", PROGRAM)

    def test_choices_of_all_sorts_follow_their_elements(self):
        pairs = [
            ("list('abcd')", "list('xdyczbaw')"),
            ("[1, 2, 30000000000, -4]", "(-4, 5, 30000000000, 2, 1)"),
            ("[0.5, None, True, b'x', 'x']", "['x', b'x', 7, True, None, 0.5]"),
            ("[(1, 'a'), (1, 'b'), [1, 'a']]", "[[1, 'a'], (1, 'b'), 3, (1, 'a')]"),
            ("[Color.RED, Color.BLUE]", "[Color.BLUE, 0, Color.RED]"),
            ("range(3, 9)", "range(0, 20)"),
        ]
        for before, after in pairs:
            self.check(before, after, "random.choice(x)")
        self.check("[f, g]", "[g, 0, f]", "random.choice(x).__name__")
        self.check("list('abcd')", "list('xdcba')", "random.choices(x, k=3)")
        self.check("{'a': 1, 'b': 5, 'c': 2}", "{'z': 9, 'c': 2, 'b': 0.5, 'a': 3}", "random.choices([*x], x.values(), k=3)")
        self.check("{'a': 1, 'b': 6}", "{'z': 9, 'b': 10, 'a': 11}", "random.choices([*x], cum_weights=[*x.values()])")
        self.check("list('abcd')", "list('xdcba')", "random.sample(x, 3)")
        self.check("list('aabc')", "list('cbaa')", "random.shuffle(x) or x")
        self.check("5", "3", "random.randint(x, 17 - x)")
        self.check("5", "2", "random.randrange(x, 9)")

    def test_an_output_that_is_not_possible_is_a_misfit(self):
        for before, after, draw in [
            ("['a']", "['b', 'c']", "random.choice(x)"),
            ("[7]", "[8]", "random.randint(x[0], x[0])"),
            ("['a', 'b']", "['a', 'c']", "random.sample(x, 2)"),
            ("['a']", "['b', 'c']", "random.choices(x)"),
        ]:
            first, again = self.replayed(before, after, draw, WHITTLE_TRACE_MISFIT="halt")
            self.assertEqual(again.end["outcome"], "halted", draw)
            first, again = self.replayed(before, after, draw)
            self.assertEqual((again.end["outcome"], again.end["misaligned"]), ("complete", 1), draw)

    def test_what_is_left_of_a_shuffle_stays_in_order(self):
        for _ in range(5):
            first, again = self.replayed("list('abcd')", "list('dxb')", "random.shuffle(x) or ''.join(x)")
            order = [letter for letter in first.stdout if letter in "db"]
            self.assertEqual(again.stdout.strip(), "".join(order) + "x")

    def test_a_weight_of_zero_is_never_drawn_by_a_replay_either(self):
        draw = "random.choices('abc', x)"
        first = self.traced("gen.py", "[0, 1, 0]", draw)
        self.assertEqual([record["max"] for record in first.draws()], [0])
        self.assertEqual(self.traced("gen.py", "[0, 0, 1]", draw, script=first.records[:-1]).stdout, "['c']\n")

    def test_objects_without_a_value_are_matched_by_their_places(self):
        first, again = self.replayed("[Thing()] * 3", "[Thing()] * 4", "random.choice(x)", WHITTLE_TRACE_MISFIT="halt")
        self.assertNotIn("output", first.draws()[0])
        self.assertEqual(again.end["outcome"], "complete")

    def test_both_forms_carry_outputs_and_files_of_the_first_version_can_be_replayed(self):
        draw = "random.choice(x), random.sample(x, 3), random.randint(-5, 5)"
        first = self.traced("gen.py", "list('abcd')", draw, record="binary")
        again = self.traced("gen.py", "list('dcba')", draw, WHITTLE_TRACE_REPLAY=self.path("binary"))
        self.assertEqual((again.stdout, again.end["misaligned"]), (first.stdout, 0))
        site = self.traced("gen.py", "list('ab')", "random.choice(x)").draws()[0]["site"].encode()
        old = b"whittle-trace 1\nS" + len(site).to_bytes(4, "little") + site
        old += b"D\x15\0\0\0" + bytes(5) + b"\x01" + bytes(7) + b"\x01" + bytes(7)
        with open(self.path("old"), "wb") as file:
            file.write(old)
        for items, chosen in (("list('ab')", "b"), ("list('ba')", "a")):
            ran = self.traced("gen.py", items, "random.choice(x)", WHITTLE_TRACE_REPLAY=self.path("old"))
            self.assertEqual(ran.stdout, chosen + "\n", ran.stderr)

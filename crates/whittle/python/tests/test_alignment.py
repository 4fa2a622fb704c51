"""How a replay follows a trace that was edited: the two cases of the paper, and trace files in both forms."""

from .common import Case, tell

CASE_1 = """
    import random
    def f():
        return "f"
    def g():
        return "g%d" % random.randrange(9)
    x = 0
    if random.choice([False, True]):
        x = len("1")
    if x == 0:
        y = f()
    else:
        y = g()
    print(y, random.randrange(9))
"""

CASE_2 = """
    import random
    x = [0]
    if random.choice([False, True]):
        x.append(1)
    if random.choice([False, True]):
        print("y", random.choice(x))
    print(x)
"""


class Alignment(Case):
    def recorded(self, program, wanted):
        """A run of the program whose draws came out as `wanted`."""
        self.write("gen.py", program)
        script = [{"do": "draw", "kind": "integer", "site": "x", "max": 1, "value": [0]}]
        records = self.traced("gen.py", script=script).records
        for value in wanted:
            # Draws come one after the other, and what comes later depends on them.
            place = [i for i, r in enumerate(records) if r["do"] == "draw"][wanted.index(value)]
            tell(records[place], value[0])
            records = self.traced("gen.py", script=records[:-1]).records
        return records

    def without_block(self, records):
        """The trace without the block of the first selection, its draw turned to false."""
        draw = next(i for i, r in enumerate(records) if r["do"] == "draw")
        begin = next(i for i, r in enumerate(records) if r.get("kind") == "branch")
        end, depth = begin, 0
        while True:
            depth += {"open": 1, "close": -1}.get(records[end]["do"], 0)
            end += 1
            if depth == 0:
                break
        edited = [dict(r) for r in records[:begin] + records[end:-1]]
        tell(edited[draw], 0)
        return edited

    def test_case_1(self):
        records = self.recorded(CASE_1, [(1, 0), (5, 1), (7, 2)])
        self.assertEqual(self.traced("gen.py", script=records[:-1]).stdout, "g5 7\n")
        edited = self.without_block(records)
        halted = self.traced("gen.py", script=edited, WHITTLE_TRACE_MISFIT="halt")
        self.assertEqual((halted.end["outcome"], halted.stdout), ("halted", ""))
        # The second selection, whose branch is not the one of the script.
        opened = [r for r in edited if r["do"] in ("open", "draw")]
        self.assertTrue(opened[halted.end["node"] - 1]["site"].startswith("if gen.py"))
        realigned = self.traced("gen.py", script=edited)
        self.assertEqual((realigned.stdout, realigned.end["misaligned"]), ("f 7\n", 0))

    def test_case_2(self):
        records = self.recorded(CASE_2, [(1, 0), (1, 1), (1, 2)])
        self.assertEqual(self.traced("gen.py", script=records[:-1]).stdout, "y 1\n[0, 1]\n")
        edited = self.without_block(records)
        halted = self.traced("gen.py", script=edited, WHITTLE_TRACE_MISFIT="halt")
        opened = [r for r in edited if r["do"] in ("open", "draw")]
        self.assertEqual((halted.end["outcome"], opened[halted.end["node"] - 1]["value"]), ("halted", [1]))
        realigned = self.traced("gen.py", script=edited)
        self.assertEqual((realigned.stdout, realigned.end["misaligned"]), ("y 0\n[0]\n", 1))

    def test_a_missing_draw_takes_the_default_of_its_site(self):
        self.write("gen.py", "import random\nprint(random.randrange(9))\n")
        site = self.traced("gen.py").draws()[0]["site"]
        script = [{"do": "default", "site": site, "value": [6]}]
        self.assertEqual(self.traced("gen.py", script=script).stdout, "6\n")

    def test_steps_that_do_not_come_halt_a_strict_replay(self):
        self.write("gen.py", "import random, sys\nfor _ in range(int(sys.argv[1])):\n    random.random()\n")
        script = self.traced("gen.py", "3").records[:-1]
        self.assertEqual(self.traced("gen.py", "3", script=script, WHITTLE_TRACE_MISFIT="halt").end["outcome"], "complete")
        for other in "24":
            ran = self.traced("gen.py", other, script=script, WHITTLE_TRACE_MISFIT="halt")
            self.assertEqual(ran.end["outcome"], "halted")
            self.assertEqual(self.traced("gen.py", other, script=script).end["outcome"], "complete")

    def test_the_binary_form_says_the_same(self):
        self.write("gen.py", "import random\nfor _ in range(2):\n    print(random.sample('abc', 2), random.getrandbits(90))\n")
        first = self.traced("gen.py", record="binary")
        with open(self.path("binary"), "rb") as file:
            self.assertTrue(file.read().startswith(b"whittle-trace 2\n"))
        again = self.traced("gen.py", WHITTLE_TRACE_REPLAY=self.path("binary"), WHITTLE_TRACE_MISFIT="halt")
        self.assertEqual((again.stdout, again.end["outcome"]), (first.stdout, "complete"))

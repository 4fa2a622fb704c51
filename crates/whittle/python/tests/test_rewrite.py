"""Calls, loops and selections: what is recorded, and that programs do what they did."""

import os
import textwrap

from whittle_choices import records

from .common import Case


class Structure(Case):
    def shape(self, program, *arguments, **variables):
        self.write("gen.py", "import random\nrandom.choice = lambda x: x[random.randrange(len(x))]\nd = random.randrange\n")
        with open(self.path("gen.py"), "a") as file:
            file.write(textwrap.dedent(program))
        ran = self.traced("gen.py", *arguments, **variables)
        self.assertEqual(ran.status, 0, ran.stderr)
        self.assertEqual(ran.stdout, self.plain("gen.py", *arguments))
        self.assertEqual(self.shape_of_binary(*arguments), ran.shape())
        return ran.shape()

    def shape_of_binary(self, *arguments):
        """The same as `Ran.shape` of a binary file, which other code writes."""
        self.traced("gen.py", *arguments, record="binary")
        with open(self.path("binary"), "rb") as file:
            data = file.read()
        parts = []
        for step in records.steps(data):
            if step[0] == "open":
                parts.append("CLISB"[step[1]] + "(")
            elif step[0] == "draw":
                parts.append(",".join(map(str, step[2])) + " ")
            else:
                parts.append({"close": ")", "open-ended": "~"}[step[0]])
        return "".join(parts)

    def test_functions_loops_and_rounds(self):
        self.assertEqual(
            self.shape(
                """
                def f():
                    return d(1)
                for _ in range(2):
                    f()
                """
            ),
            "L(I(C(0 ))I(C(0 )))",
        )

    def test_selections_with_and_without_an_else(self):
        program = """
            if d(1) == {}:
                d(1)
            {}
            d(1)
        """
        self.assertEqual(self.shape(program.format(0, "")), "S(0 B(0 ))0 ")
        self.assertEqual(self.shape(program.format(1, "")), "S(0 )0 ")
        self.assertEqual(self.shape(program.format(1, "else: d(1)")), "S(0 B(0 ))0 ")

    def test_a_long_chain_of_elifs_is_possible(self):
        chain = "if d(1) == 1: d(1)\n" + "".join("elif d(1) == %d: d(1)\n" % n for n in range(1, 60)) + "else: d(1)\n"
        self.assertTrue(self.shape(chain).startswith("S(0 B(S(0 B("))

    def test_an_early_way_out_closes_what_is_open(self):
        self.assertEqual(
            self.shape(
                """
                def f():
                    for x in range(5):
                        if d(1) == 0:
                            return d(1)
                f()
                d(1)
                """
            ),
            "C(L(I(S(0 B(0 )))~))0 ",
        )
        self.assertEqual(
            self.shape(
                """
                for x in range(5):
                    if d(1) == 0:
                        break
                    d(1)
                d(1)
                """
            ),
            "L(I(S(0 B()))~)0 ",
        )

    def test_an_exception_that_is_caught_brings_back_to_where_it_is_caught(self):
        self.assertEqual(
            self.shape(
                """
                def f():
                    try:
                        if d(1) == 0:
                            raise ValueError()
                    except ValueError:
                        d(1)
                    for x in range(2):
                        try:
                            if d(1) == 0:
                                int("x")
                        except ValueError:
                            d(1)
                f()
                """
            ),
            "C(S(0 B())0 L(I(S(0 B())0 )I(S(0 B())0 )))",
        )

    def test_a_while_loop_has_as_many_rounds_as_its_body_runs(self):
        self.assertEqual(
            self.shape(
                """
                n = 0
                while n < 2:
                    n += 1 + d(1)
                else:
                    d(1)
                """
            ),
            "L(I(0 )I(0 )0 ~)",
        )
        # A condition that draws is a round of its own at the end.
        self.assertEqual(self.shape("n = 2\nwhile n - d(1):\n    n -= 1\n"), "L(I(0 )I(0 )I(0 )~)")

    def test_comprehensions_are_loops(self):
        self.assertEqual(self.shape("print([d(1) for _ in range(2)], {d(1): d(1) for _ in '1'})"), "L(I(0 )I(0 ))L(I(0 0 ))")
        self.assertEqual(self.shape("print(sum(d(1) for a in range(2) for b in range(a)))"), "L(I(L())I(L(I(0 ))))")
        self.assertEqual(self.shape("print(any(d(1) == 0 for _ in range(5)))\nd(1)"), "L(I(0 )~)0 ")

    def test_a_generator_that_outlives_its_function_closes_nothing_else(self):
        # The generator of the inner call ends after the call, while that of the outer call is open.
        self.assertEqual(
            self.shape(
                """
                def f(n):
                    some = (d(1) + (f(n - 1) if n else 0) for _ in range(2))
                    next(some)
                    return 0
                f(1)
                d(1)
                """
            ),
            "C(L(I(0 S(B(C(L(I(0 S(B()))~)))))~))0 ",
        )

    def test_conditional_expressions_are_selections(self):
        self.assertEqual(self.shape("print('a' if d(1) else d(1))"), "S(0 B(0 ))")
        self.assertEqual(self.shape("print([1 if d(1) else 2 if d(1) else d(1) for _ in 'ab'])"), "L(I(S(0 B(S(0 B(0 )))))I(S(0 B(S(0 B(0 ))))))")

    def test_what_calls_nothing_is_left_alone(self):
        self.assertEqual(self.shape("s = ''\nfor _ in range(d(1) + 3):\n    s += 'a'\nif s:\n    s = 1\n"), "0 ")

    def test_generator_functions_and_classes_are_left_alone_but_their_draws_are_seen(self):
        self.assertEqual(
            self.shape(
                """
                class C:
                    x = 3
                    if x > 2:
                        y = d(1)
                    def m(self):
                        self.__private = d(1)
                        return self.__private
                def numbers():
                    for _ in range(2):
                        yield d(1)
                print(list(numbers()), C().m(), C.y)
                """
            ),
            "0 0 0 C(0 )",
        )

    def test_names_docstrings_futures_and_closures_survive(self):
        self.write(
            "gen.py",
            '''
            """A program."""
            from __future__ import annotations
            import random, sys
            def outer(n: Undefined):
                """Makes a function."""
                total = 0
                def inner():
                    nonlocal total
                    for i in range(n):
                        total += random.randrange(1) + len("ab")
                    return total
                return inner
            def walrus(x):
                while (y := len(x)) > 1:
                    x = x[1:]
                return y
            print(__doc__, outer.__doc__, outer(3)(), walrus("abc"), __name__, sys.argv[1:], __file__)
            print([(a, b) for a in "xy" if (b := len(a))], lambda: 0 if outer else 1 and None)
            ''',
        )
        # A function's address differs from run to run.
        first = lambda text: text.split("<function")[0]
        self.assertEqual(first(self.traced("gen.py", "1", "2").stdout), first(self.plain("gen.py", "1", "2")))

    def test_a_site_in_which_nothing_is_ever_drawn_falls_silent(self):
        self.write(
            "gen.py",
            """
            import random
            def f(x):
                return len(x)
            for n in range(5000):
                f("a")
                if len("b") == 2: f("c")
            print(random.random())
            """,
        )
        ran = self.traced("gen.py")
        self.assertLess(len(ran.records), 15000)
        self.assertEqual(len(ran.draws()), 1)

    def test_recording_and_replaying_agree_on_what_is_silent(self):
        shape = self.shape(
            """
            def quiet(x):
                return len(x)
            def loud(n):
                for i in range(n):
                    if quiet("a") == 1:
                        if i % 700 == 699:
                            d(1)
                        continue
                n = 0
                while quiet("abc") > n - 1500:
                    n += 1
                    if n % 1400 == 0:
                        d(1)
            loud(2500)
            loud(1200)
            """
        )
        self.assertEqual(shape.count("0"), 6)


class Modules(Case):
    def test_modules_beside_the_program_are_rewritten_and_others_are_not(self):
        self.write("pkg/__init__.py", "")
        self.write("pkg/helper.py", "import random\ndef word():\n    return [random.choice('ab') for _ in range(2)]\n")
        self.write("gen.py", "from pkg import helper\nimport textwrap\nprint(helper.word())\n")
        ran = self.traced("gen.py")
        self.assertEqual(len(ran.draws()), 2, ran.stderr)
        self.assertEqual([r["site"] for r in ran.records if r["do"] == "open"][0], "pkg/helper.py word")
        self.assertFalse(os.path.exists(self.path("pkg/__pycache__")), "nothing is left beside the program")

    def test_by_hand_it_is_the_same(self):
        self.write("gen.py", "import random, sys\nfor _ in range(2):\n    print(random.choice('ab'), sys.argv, __name__)\n")
        self.assertEqual(self.traced("gen.py", "x").shape()[:4], self.traced("gen.py", "x", by_hand=True).shape()[:4])
        ran = self.traced("gen.py", "x", by_hand=True)
        self.assertIn("gen.py', 'x'] __main__", ran.stdout)

    def test_how_a_program_ends_stays_as_it_is(self):
        self.write("gen.py", "import random, sys, atexit\natexit.register(print, 'bye')\nrandom.random()\nsys.exit(3)\n")
        ran = self.traced("gen.py")
        self.assertEqual((ran.status, ran.stdout, ran.end["outcome"]), (3, "bye\n", "complete"))
        self.write("bad.py", "import random\nrandom.random()\n1 / 0\n")
        ran = self.traced("bad.py")
        self.assertEqual((ran.status, len(ran.draws())), (1, 1))
        self.assertIn('bad.py", line 3', ran.stderr)

    def test_processes_that_are_started_or_forked_are_not_recorded(self):
        self.write(
            "gen.py",
            """
            import os, random, subprocess, sys
            random.random()
            if os.fork() == 0:
                random.random()
                os._exit(0)
            os.wait()
            subprocess.run([sys.executable, "-c", "import random; random.random()"])
            """,
        )
        self.assertEqual(len(self.traced("gen.py").draws()), 1)

"""Generators: functions and programs, reduced by their choices."""

import random
import subprocess
import sys
import threading
import weakref

import pytest

import whittle
from whittle import _values, choices


def numbers(source):
    return [source.int(-50, 99) for _ in source.repeat(0, 30)]


def expression(source):
    with source.scope("expression"):
        if source.int(0, 4) < 3:
            return str(source.int(0, 99))
        operator = source.choose(["+", "*", "/"])
        return f"({expression(source)} {operator} {expression(source)})"


def seed_with(generator, is_interesting):
    """The first seed whose value is large and interesting."""
    for seed in range(1000):
        value = generator(choices.Source(seed))
        if len(value) > 10 and is_interesting(value):
            return seed
    raise AssertionError("no seed")


def test_lists_shrink_to_the_smallest_that_fails():
    def fails(values):
        return sum(values) > 150

    result = choices.reduce_generator(numbers, fails, seed=seed_with(numbers, fails))
    assert sum(result.value) == 151 and len(result.value) == 2
    assert result.data == repr(result.value) and result.complete
    assert result.steps_after < result.steps_before and result.generator_runs > 0


def test_recursive_texts_stay_what_the_generator_makes():
    def is_valid(text):
        try:
            eval(text)
        except ZeroDivisionError:
            pass
        return True

    def divides_by_zero(text):
        assert is_valid(text)
        try:
            eval(text)
        except ZeroDivisionError:
            return True
        return False

    result = whittle.reduce_generator(expression, divides_by_zero, seed=seed_with(expression, divides_by_zero))
    assert result.value == result.data == "(0 / 0)"
    then = whittle.reduce_generator(expression, lambda text: "/" in text, seed=result_seed(), then="auto")
    assert then.data.strip() == "/"


def result_seed():
    return seed_with(expression, lambda text: "/" in text)


@pytest.mark.parametrize("jobs", [1, 3])
def test_result_and_tests_do_not_depend_on_jobs(jobs):
    def fails(values):
        return sum(values) > 150 and 7 in values

    result = choices.reduce_generator(numbers, fails, seed=seed_with(numbers, fails), jobs=jobs)
    assert sorted(result.value) == [7, 45, 99] or sum(result.value) == 151, result
    first = choices.reduce_generator(numbers, fails, seed=seed_with(numbers, fails))
    assert (result.value, result.tests) == (first.value, first.tests)


def test_a_random_of_the_standard_library_draws_from_the_source():
    def deck(source):
        rng = source.random
        assert isinstance(rng, random.Random)
        cards = [rng.choice("abc") + str(rng.randint(1, 9)) for _ in source.repeat(1, 20)]
        rng.shuffle(cards)
        extra = rng.sample(range(1000), 3) + [rng.random(), rng.gauss(0, 1), rng.getrandbits(200)]
        return cards, extra

    def fails(value):
        return "c7" in value[0]

    seed = next(seed for seed in range(500) if fails(deck(choices.Source(seed))))
    result = choices.reduce_generator(deck, fails, seed=seed)
    assert result.value[0] == ["c7"]
    assert result.value[1][3:] == [0.0, result.value[1][4], 0]


def test_what_is_left_out_and_chosen():
    def document(source):
        title = source.optional(lambda: "title: " + source.choose(["a", "b", "boom"], weights=[5, 5, 1])) or ""
        lines = []
        for number in source.repeat(0, 9):
            if source.index(4) == 3:
                break
            lines.append(f"{number}: {source.bytes(0, 4).hex()}")
        return "\n".join([title, *lines])

    def fails(text):
        return "boom" in text

    seed = next(seed for seed in range(2000) if fails(document(choices.Source(seed))) and len(document(choices.Source(seed))) > 40)
    assert choices.reduce_generator(document, fails, seed=seed).value == "title: boom"


def test_weights_decide_how_often_an_item_is_chosen():
    counts = [0, 0, 0]
    source = choices.Source(5)
    for _ in range(3000):
        counts[source.choose([0, 1, 2], weights=[1, 0, 3])] += 1
    assert counts[1] == 0 and 600 < counts[0] < 900
    nan, infinity = float("nan"), float("inf")
    for wrong in ([1], [0, 0, 0], [1, -1, 1], [nan, 1, 1], [1, 1, nan], [1, infinity, 1], [-infinity, infinity, 1], [1e308] * 3):
        with pytest.raises(ValueError, match="finite weight"):
            source.choose([0, 1, 2], weights=wrong)


def test_wide_numbers_keep_to_their_range():
    source = choices.Source(1)
    for low, high in [(0, 1 << 200), (-(1 << 70), 5), (-3, -3), (-(1 << 63), (1 << 63) - 1)]:
        assert all(low <= source.int(low, high) <= high for _ in range(50))
    with pytest.raises(ValueError, match="empty"):
        source.int(2, 1)


@pytest.mark.parametrize("most", [1 << 64, (1 << 64) + 1, 1 << 65, 3 << 63, 10**30, 1 << 128, (1 << 129) - 1, 1 << 4033])
def test_wide_numbers_are_spread_evenly_over_their_range(most):
    source = choices.Source(3)
    for draw in (lambda: source.int(0, most), lambda: source.random.randrange(most + 1), lambda: source.int(-most, 0) + most):
        drawn = [draw() for _ in range(400)]
        assert len(set(drawn)) == 400 and 0 <= min(drawn) and max(drawn) < most
        quarters = [sum(number * 4 // most == quarter for number in drawn) for quarter in range(4)]
        # 100 are expected in each, with a standard deviation of 9.
        assert all(60 < count < 140 for count in quarters), quarters
    bits = most.bit_length()
    assert len({source.random.getrandbits(bits) >> bits - 8 for _ in range(400)}) > 150


class Scripted:
    """Makes the choices that lead to a wide number."""

    def __init__(self, number, bits):
        parts = -(-bits // 64)
        ends = [bits * place // parts for place in range(parts + 1)]
        self.parts = [(number >> low) % (1 << high - low) for low, high in zip(ends, ends[1:])]

    def draw(self, site, most):
        assert 0 <= self.parts[0] <= most < 1 << 64
        return self.parts.pop(0)


@pytest.mark.parametrize("most", [1 << 64, (1 << 64) + 5, 10**30, (1 << 192) - 1, (1 << 4033) + 1])
def test_every_wide_number_is_possible(most):
    for number in [0, 1, most // 3, most - 1, most]:
        source = choices.Source(player=Scripted(number, most.bit_length()))
        assert source.int(-7, most - 7) == number - 7


@pytest.mark.parametrize("least", [0, 1, 1000, 1 << 40])
def test_wide_numbers_shrink(least):
    def make(source):
        return [source.int(0, 1 << 65) for _ in source.repeat(1, 5)]

    def fails(values):
        return values[0] >= least

    seed = next(seed for seed in range(100) if fails(make(choices.Source(seed))))
    assert choices.reduce_generator(make, fails, seed=seed).value == [least]


def test_values_that_the_predicate_changes_are_copies():
    def sorts(values):
        values.sort()
        return len(values) >= 3 and values[-1] > 10

    result = choices.reduce_generator(numbers, sorts, seed=seed_with(numbers, sorts))
    assert len(result.value) == 3 and max(result.value) == 11 and result.confirmed


def test_exceptions_of_generator_and_predicate_propagate():
    def broken(source):
        source.int(0, 5)
        raise LookupError("in the generator")

    with pytest.raises(LookupError, match="in the generator"):
        choices.reduce_generator(broken, lambda value: True)
    with pytest.raises(OverflowError):
        choices.reduce_generator(numbers, lambda value: (_ for _ in ()).throw(OverflowError()))
    with pytest.raises(whittle.NotInterestingError):
        choices.reduce_generator(numbers, lambda value: False)


def test_a_generator_without_choices_or_with_others_is_an_error():
    with pytest.raises(whittle.GeneratorError, match="no choice"):
        choices.reduce_generator(lambda source: "constant", lambda value: True)
    counter = iter(range(1000))
    with pytest.raises(whittle.GeneratorError, match="same choices"):
        choices.reduce_generator(lambda source: [source.int(0, 9), next(counter)], lambda value: True)
    with pytest.raises(ValueError, match="auto"):
        choices.reduce_generator(numbers, lambda value: True, then="later")


def test_a_replay_on_which_the_generator_fails_is_no_candidate():
    def even(source):
        values = numbers(source)
        if len(values) % 2:
            raise ValueError("odd")
        return values

    seed = next(seed for seed in range(100) if len(numbers(choices.Source(seed))) in range(10, 30, 2))
    result = choices.reduce_generator(even, lambda values: len(values) > 2, seed=seed)
    assert len(result.value) == 4


def test_an_unmodified_program_is_a_generator(tmp_path):
    program = tmp_path / "gen.py"
    program.write_text(
        "import random, sys\n"
        "rng = random.Random(int(sys.argv[1]))\n"
        "def item():\n"
        "    return 'item %d' % rng.randint(0, 99)\n"
        "for _ in range(rng.randint(5, 20)):\n"
        "    print(item())\n"
    )
    words = [sys.executable, str(program), "4"]
    result = choices.reduce_generator(words, lambda text: text.count("item") >= 5)
    assert result.value == "item 0\n" * 5
    by_command = choices.reduce_generator(words, whittle.Command("cat {}", stdout="(?s)(item.*){5}"))
    assert by_command.value == result.value
    as_bytes = choices.reduce_generator(words, lambda data: data.count(b"item") >= 5, text=False)
    assert as_bytes.value == result.value.encode()
    with pytest.raises(whittle.GeneratorError, match="failed"):
        choices.reduce_generator([sys.executable, "-c", "1 / 0"], lambda text: True)


@pytest.fixture
def binary_generator(tmp_path):
    """The words of a program that prints bytes beyond ASCII: whether they are UTF-8 depends on its choices."""
    program = tmp_path / "gen.py"
    program.write_text(
        "import random, sys\n"
        "rng = random.Random(int(sys.argv[1]))\n"
        "for _ in range(rng.randint(3, 9)):\n"
        "    sys.stdout.buffer.write(b'\\xff' if rng.randint(0, 9) == 0 else b'item ')\n"
    )
    return lambda seed: [sys.executable, str(program), str(seed)]


def printed(words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout


def test_output_that_is_not_utf8_needs_bytes(binary_generator):
    words = next(words for words in map(binary_generator, range(100)) if b"\xff" in printed(words))
    calls = []
    with pytest.raises(whittle.UsageError, match="text=False"):
        choices.reduce_generator(words, calls.append)
    assert not calls
    result = choices.reduce_generator(words, lambda data: b"\xff" in data, text=False)
    assert b"\xff" in result.value and result.complete


def test_later_output_that_is_not_utf8_loses_no_result(binary_generator):
    words = next(words for words in map(binary_generator, range(100)) if printed(words).count(b"item ") >= 6 and b"\xff" not in printed(words))
    seen = []

    def not_empty(text):
        seen.append(text)
        return len(text) >= 3

    result = choices.reduce_generator(words, not_empty)
    assert "item" in result.value and all(isinstance(text, str) for text in seen)
    # The lowest choice prints the other byte, and a command may accept that.
    accepted = choices.reduce_generator(words, whittle.Command("test -s {}"), on_progress=lambda progress: None)
    assert accepted.complete and b"\xff" in accepted.value and accepted.data == accepted.value
    assert isinstance(accepted.input, str)


def test_values_keep_their_own_types():
    def either(source):
        text = "x" * len([source.int(0, 9) for _ in source.repeat(1, 15)])
        return text if source.index(2) else text.encode() + b"!"

    seed = seed_with(either, lambda value: isinstance(value, str))
    seen = []

    def is_bytes_or_long(value):
        seen.append(type(value))
        return isinstance(value, bytes) or len(value) > 5

    result = choices.reduce_generator(either, is_bytes_or_long, seed=seed)
    assert result.value == result.data == b"x!"
    assert isinstance(result.input, str) and set(seen) == {str, bytes}


@pytest.mark.parametrize("by_command", [False, True])
def test_old_values_are_forgotten_and_the_best_are_not(by_command, monkeypatch):
    monkeypatch.setattr(_values, "_KEPT_BYTES", 1 << 12)
    monkeypatch.setattr(_values, "_KEPT_VALUES", 20)
    alive, made, most = weakref.WeakSet(), 0, 0

    class Value:
        def __init__(self, numbers):
            nonlocal made, most
            self.numbers = numbers
            alive.add(self)
            made, most = made + 1, max(most, len(alive))

        def __repr__(self):
            return f"{self.numbers} {'padding ' * 50}"

    def make(source):
        return Value(numbers(source) + [source.index(1000) for _ in range(40)])

    def fails(value):
        return value.numbers[-1] > 100 and sum(value.numbers[-40:]) > 9000

    improved = []
    seed = next(seed for seed in range(100) if fails(make(choices.Source(seed))))
    made, most = 0, 0
    test = whittle.Command("grep -q ' [1-9][0-9][0-9]. padding' {}") if by_command else fails
    result = choices.reduce_generator(make, test, seed=seed, on_progress=lambda progress: improved.append(progress.improved))
    assert isinstance(result.value, Value) and repr(result.value) == result.data
    assert made > 120 and most < 60 + sum(improved), (made, most, sum(improved))


def test_check_finds_and_reduces_a_failure():
    def total_stays_small(values):
        assert sum(values) < 150

    with pytest.raises(choices.Falsified, match="AssertionError for") as caught:
        choices.check(numbers, total_stays_small)
    assert sum(caught.value.value) == 150 and len(caught.value.value) == 2
    assert isinstance(caught.value.__cause__, AssertionError)
    assert total_fails(caught.value.seed)
    choices.check(numbers, lambda values: None, runs=20)


def total_fails(seed):
    return sum(numbers(choices.Source(seed))) >= 150


def test_check_keeps_to_the_same_failure():
    def two_bugs(values):
        if len(values) > 25:
            raise RuntimeError("long")
        assert 7 not in values

    with pytest.raises(choices.Falsified) as caught:
        choices.check(numbers, two_bugs, seed=0, runs=500)
    kind = type(caught.value.__cause__)
    assert (kind, caught.value.value) in [(AssertionError, [7]), (RuntimeError, [0] * 26)] or kind is RuntimeError


def test_generators_run_on_this_thread():
    used = set()

    def make(source):
        used.add(threading.get_ident())
        return numbers(source)

    choices.reduce_generator(make, lambda values: len(values) > 1, seed=seed_with(numbers, lambda values: True))
    assert used == {threading.get_ident()}


def test_progress_shows_values_as_results_do():
    seen = []
    choices.reduce_generator(expression, lambda text: "/" in text, seed=result_seed(), on_progress=seen.append)
    assert seen and all(isinstance(progress.data, str) for progress in seen)

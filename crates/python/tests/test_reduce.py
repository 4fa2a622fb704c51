"""Functions as predicates: what they see, what comes out, and what goes wrong."""

import threading

import pytest

import whittle


def test_a_text_is_reduced_in_its_language(program):
    seen = []

    def has_division(text):
        seen.append(text)
        return "/ zero" in text

    result = whittle.reduce(program, has_division, language="c")
    assert result.data.strip() == "/ zero"
    assert all(type(text) is str for text in seen)
    assert (result.language, result.unit, result.complete, result.confirmed) == ("c", "tokens", True, True)
    assert result.size_before > 100 and result.size_after == 2
    assert result.input == program
    assert 0 < result.tests < 200


def test_bytes_stay_bytes_and_need_no_language():
    data = bytes(range(256))
    result = whittle.reduce(data, lambda candidate: b"\xfe" in candidate and 7 in candidate)
    assert result.data == b"\x07\xfe"
    assert result.unit == "bytes" and result.language is None


def test_the_language_follows_from_the_name():
    result = whittle.reduce('{"a": [1, {"b": 2}]}', lambda text: "2" in text, name="bug.json")
    assert (result.language, result.data) == ("json", "2\n")


@pytest.mark.parametrize("name", ["/tmp/abs.c", "../up.c", "a/../../up.c", "..", ".", "/", "a\0.c"])
def test_names_do_not_leave_the_folder_of_the_test(name):
    for test in (lambda text: True, ["test", "-s", "{}"]):
        with pytest.raises(whittle.UsageError, match="name is"):
            whittle.reduce("abc", test, name=name)
    with pytest.raises(whittle.UsageError, match="name is"):
        whittle.reduce_generator(lambda source: str(source.int(0, 9)), lambda text: True, name=name)


@pytest.mark.parametrize("name", ["bug.json", "./bug.json", "some folder/bug.json"])
def test_names_are_those_of_the_candidate(name):
    file = name.split("./")[-1]
    result = whittle.reduce('{"a": [1, {"b": 2}]}', ["sh", "-c", f'grep -q 2 "$0" && grep -q 2 "{file}"', "{}"], name=name)
    assert (result.language, result.data) == ("json", "2\n")


def test_letters_beyond_ascii_survive():
    result = whittle.reduce("aaa\nbbb grün ccc\nddd\n", lambda text: "grün" in text, language="none")
    assert result.data == "grün"


def test_any_true_value_will_do_and_none_is_false():
    assert whittle.reduce(b"abc", lambda data: data.count(b"b")).data == b"b"
    with pytest.raises(whittle.NotInterestingError):
        whittle.reduce(b"abc", lambda data: None)


def test_an_input_that_is_not_interesting_is_an_error_of_its_own():
    with pytest.raises(whittle.NotInterestingError, match="not interesting") as caught:
        whittle.reduce("abc", lambda text: False)
    assert isinstance(caught.value, whittle.WhittleError)
    assert whittle.partial_result(caught.value) is None


def test_exceptions_of_the_predicate_propagate_with_traceback_and_best_result():
    calls = []

    def picky(text):
        calls.append(text)
        if len(text) < 20:
            return helper_that_raises(text)
        return "needle" in text

    def helper_that_raises(text):
        raise KeyError("too short")

    with pytest.raises(KeyError, match="too short") as caught:
        whittle.reduce("needle " + "hay " * 40, picky, language="none")
    assert "helper_that_raises" in [entry.name for entry in caught.traceback]
    # The checks of the input come first: they try a text with nothing in it.
    assert whittle.partial_result(caught.value) is None


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_best_result_so_far_goes_with_an_exception(jobs):
    def fails_late(text):
        if 3 < len(text) < 20:
            raise RuntimeError(f"at {len(text)}")
        return "needle" in text

    with pytest.raises(RuntimeError) as caught:
        whittle.reduce("needle " + "hay " * 40, fails_late, language="none", jobs=jobs)
    best = whittle.partial_result(caught.value)
    assert best is not None and best.end == "failed"
    assert "needle" in best.data and 20 <= len(best.data) < 167


@pytest.mark.parametrize("algorithm", [None, "ddmin"])
def test_result_and_tests_do_not_depend_on_jobs(program, algorithm):
    def is_interesting(text):
        return "zero" in text and text.count("(") > 2

    results = [
        whittle.reduce(program, is_interesting, language="c", algorithm=algorithm, jobs=jobs) for jobs in (1, 2, 5)
    ]
    assert len({(result.data, result.tests, result.size_after) for result in results}) == 1


def test_one_job_calls_the_predicate_on_this_thread_and_more_call_it_on_others():
    def threads(jobs):
        used = set()

        def is_interesting(data):
            used.add(threading.get_ident())
            return b"x" in data

        whittle.reduce(b"abc" * 50 + b"x", is_interesting, jobs=jobs)
        return used

    assert threads(None) == {threading.get_ident()}
    assert threading.get_ident() not in threads(2)


def test_limits_keep_the_best_result_so_far(program):
    result = whittle.reduce(program, lambda text: "zero" in text, language="c", max_tests=5)
    assert (result.end, result.complete, result.tests) == ("max-tests", False, 5)
    assert "5 tests" in result.reason
    assert "zero" in result.data and len(result.data) < len(program)

    def slow(text):
        threading.Event().wait(0.01)
        return "zero" in text and "unused_7" in text

    assert whittle.reduce(program, slow, language="c", max_time=0.2).end == "max-time"


def test_progress_is_reported_on_this_thread_in_order(program):
    seen = []

    def hear(progress):
        assert threading.get_ident() == main
        seen.append(progress)

    main = threading.get_ident()
    result = whittle.reduce(program, lambda text: "zero" in text, language="c", on_progress=hear, jobs=2)
    improvements = [progress for progress in seen if progress.improved]
    assert improvements[-1].data == result.data
    sizes = [progress.size for progress in improvements]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] == result.size_after
    assert [progress.tests for progress in seen] == sorted(progress.tests for progress in seen)
    assert {progress.pass_name for progress in seen} >= {"perses", "canon"}


def test_an_exception_of_the_callback_ends_the_reduction(program):
    def hear(progress):
        if progress.improved:
            raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough") as caught:
        whittle.reduce(program, lambda text: "zero" in text, language="c", on_progress=hear)
    best = whittle.partial_result(caught.value)
    assert best is not None and best.end == "interrupted" and "zero" in best.data


def test_wrong_options_are_errors_that_name_them():
    for options, said in [
        ({"effort": "huge"}, "effort"),
        ({"language": "klingon"}, "klingon"),
        ({"jobs": 0}, "jobs"),
        ({"max_time": "soon"}, "max-time"),
        ({"algorithm": "magic"}, "magic"),
        ({"grammar": "missing.g4"}, "missing.g4"),
        ({"resume": True}, "resume"),
    ]:
        with pytest.raises(whittle.UsageError, match=said):
            whittle.reduce("abc", lambda text: True, **options)
    assert issubclass(whittle.UsageError, ValueError)
    with pytest.raises(TypeError, match="list"):
        whittle.reduce(["abc"], lambda text: True)
    for wrong in (None, 5, b"true"):
        with pytest.raises(TypeError, match=f"predicate is .*, not {type(wrong).__name__}"):
            whittle.reduce("abc", wrong)
    with pytest.raises(TypeError, match="predicate is .*, not NoneType"):
        whittle.reduce_generator(lambda source: str(source.int(0, 9)), None)


def test_a_grammar_file_is_a_language(tmp_path):
    grammar = tmp_path / "lists.g4"
    grammar.write_text("grammar lists; all: '(' item* ')' ; item: NAME | all ; NAME: [a-z]+ ; WS: [ \\n]+ -> skip ;")
    result = whittle.reduce(
        "(a (b c) (d (bug e)) f)", lambda text: "bug" in text and "(" in text, grammar=grammar, well_formed=True
    )
    assert result.data.split() == ["(", "bug", ")"] and result.unit == "tokens"


def test_a_flaky_predicate_is_noticed():
    answers = iter([True] * 8 + [False] * 10_000)
    result = whittle.reduce(b"x" * 100, lambda data: next(answers) and len(data) > 1, language="none")
    assert result.confirmed is False


def test_the_result_file_has_the_best_at_all_times_and_a_stopped_run_resumes(program, tmp_path):
    output, contents, calls = tmp_path / "best.c", [], []

    def is_interesting(text):
        calls.append(text)
        if output.exists():
            contents.append(output.read_text())
        return "zero" in text

    def run(**options):
        calls.clear()
        return whittle.reduce(
            program, is_interesting, name="bug.c", output=output, identity="has zero", resume=True, **options
        )

    stopped = run(max_tests=8)
    assert stopped.end == "max-tests" and output.read_text() == stopped.data
    assert all("zero" in content for content in contents)
    known = set(calls)
    resumed = run()
    assert resumed.complete and output.read_text() == resumed.data
    # The input is tested again, and the result is confirmed.
    assert not known & (set(calls) - {program, resumed.data})
    whole = whittle.reduce(program, is_interesting, name="bug.c")
    assert (resumed.data, resumed.tests) == (whole.data, whole.tests)


def test_reductions_can_run_in_several_threads_and_in_one_another(program):
    results = {}

    def work(name):
        results[name] = whittle.reduce(program, lambda text: name in text, language="c").data.strip()

    threads = [threading.Thread(target=work, args=(name,)) for name in ("unused_3", "unused_5", "zero")]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert results == {name: name for name in ("unused_3", "unused_5", "zero")}

    def nested(text):
        return "ab" in whittle.reduce(text, lambda inner: inner.count("a") == text.count("a")).data + "b"

    assert whittle.reduce("xaxx", nested).data == "a"


def test_languages_are_listed():
    assert {"c", "json", "python"} <= set(whittle.languages())
    assert whittle.__version__

cp "$(package wheel six 1.16.0)/six.py" .
cat >>six.py <<'END'


def unfinished(words):
    import gc
    mark = object()
    yield mark
    for holder in gc.get_referrers(mark):
        if isinstance(holder, tuple):
            holder[1] is mark
    for word in words:
        yield word


print(len(tuple(unfinished(["one", "two"]))))
END

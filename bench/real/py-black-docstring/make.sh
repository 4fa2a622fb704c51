pip_tool black 20.8b1 click==8.0.4
cp "$(package wheel itsdangerous 2.1.2)/itsdangerous/timed.py" .
cat >>timed.py <<'END'


class Clock:
    def __init__(self, start: int) -> None:
        self.start = start

    def describe(self) -> str:
        '''
        A text; a path may end in an escape \ '''
        return "since " + str(self.start)
END

class Flags(type):
    def __init__(cls, *parts):
        for k, sym in parts[2].items():
            if isinstance(sym, int):
                raise TypeError(f"Can't replace canonical symbol for {k!r} with new int value {sym}")
class Flag(metaclass=Flags):
    pass

"""Records and replays the random choices of a program. See Whittle's docs/trace-protocol.md."""

__version__ = "0.1.0"

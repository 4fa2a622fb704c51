"""Records and replays the random choices of a program. See docs/trace-protocol.md of Whittle."""

__version__ = "0.1.0"

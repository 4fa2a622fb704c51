"""Runs a check on files. Libraries load only once: each valid file is checked in a forked process.

usage: serve.py CHECK.py PORT_FILE    writes the port to PORT_FILE; exits when standard input closes

A client sends the path of a file and a newline, and gets `invalid`, or `valid` and what fails, if anything. What fails is
text without numbers, the same for the same bug. A check that ends its process fails with the signal.
"""

import importlib.util
import os
import re
import signal
import socket
import sys
import threading

# The most seconds for a check. It is far more than any check of these inputs takes.
LONGEST_CHECK = 60


def load(script):
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    spec = importlib.util.spec_from_file_location("check", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.parsed, module.failure


def described(error):
    """What identifies a failure: the kind of error, where it occurred, and the message without numbers."""
    place = error.__traceback__
    while place.tb_next is not None:
        place = place.tb_next
    message = re.sub(r"0x\w+|\d+", "N", " ".join(str(error).split()))
    return "%s in %s: %s" % (type(error).__name__, place.tb_frame.f_code.co_name, message)


def answer(failure, parsed, pipe):
    """Runs a check in a process of its own, and exits."""
    # Discard what a check prints.
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.alarm(LONGEST_CHECK)
    try:
        reply = failure(parsed)
    except Exception as error:
        reply = described(error)
    os.write(pipe, ("valid " + reply).encode()[:4096])
    os._exit(0)


def asked(failure, parsed):
    """What a check in another process answers."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        answer(failure, parsed, write)
    os.close(write)
    with os.fdopen(read, errors="replace") as pipe:
        reply = pipe.read()
    _, status = os.waitpid(child, 0)
    return reply or "valid signal %d" % (status & 127)


def serve(connection, parse, failure):
    with open(connection.makefile("r").readline().rstrip("\n"), errors="replace") as file:
        text = file.read()
    try:
        parsed = parse(text)
    except Exception:
        reply = "invalid"
    else:
        reply = asked(failure, parsed)
    connection.sendall(reply.encode() + b"\n")


def main():
    script, port_file = sys.argv[1:]
    parse, failure = load(script)
    server = socket.create_server(("127.0.0.1", 0))
    with open(port_file + ".new", "w") as file:
        file.write("%d\n" % server.getsockname()[1])
    os.replace(port_file + ".new", port_file)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    while True:
        connection, _ = server.accept()
        with connection:
            serve(connection, parse, failure)


main()

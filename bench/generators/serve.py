"""Runs a check on files, each in its own forked process, so that libraries load only once.

usage: serve.py CHECK.py PORT_FILE    writes the port to PORT_FILE; exits when standard input closes

A client sends the path of a file and a newline, and gets `bug`, `valid` or `invalid`.
"""

import os
import signal
import socket
import sys
import threading


def answer(connection, check):
    path = connection.makefile("r").readline().rstrip("\n")
    with open(path) as file:
        text = file.read()
    # Discard what a check prints.
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    connection.sendall(check(text).encode() + b"\n")


def main():
    script, port_file = sys.argv[1:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    from check import check

    server = socket.create_server(("127.0.0.1", 0))
    with open(port_file + ".new", "w") as file:
        file.write("%d\n" % server.getsockname()[1])
    os.replace(port_file + ".new", port_file)
    # Do not leave zombies: nobody waits for the children.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    while True:
        connection, _ = server.accept()
        if os.fork() == 0:
            try:
                answer(connection, check)
            finally:
                os._exit(0)
        connection.close()


main()

#!/usr/bin/env python3
"""Runs a generator with many seeds, and prints which failures of a system they trigger.

usage: serving CHECK find.py DOMAIN FROM TO [ARGUMENT...]    seeds from FROM up to but not including TO
"""

import collections
import os
import socket
import subprocess
import sys
import tempfile

from figures import generator


def asked(path):
    with socket.create_connection(("127.0.0.1", int(os.environ["CHECK_PORT"]))) as connection:
        connection.sendall(path.encode() + b"\n")
        return connection.makefile("r").readline().strip()


def main():
    domain, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seeds = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        make, path = generator(domain, folder), os.path.join(folder, "input")
        for seed in range(first, last):
            with open(path, "w") as file:
                subprocess.run([*make, str(seed), *sys.argv[4:]], stdout=file, check=True)
            seeds[asked(path)].append(seed)
    for failure, found in sorted(seeds.items(), key=lambda item: -len(item[1])):
        print(len(found), failure, found[:20])


if __name__ == "__main__":
    main()

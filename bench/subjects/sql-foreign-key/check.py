"""Interesting: every statement of the script runs but one COMMIT, which fails for a foreign key."""

import sqlite3
import sys


def statements(text):
    part = ""
    for piece in text.split(";"):
        part += piece + ";"
        if sqlite3.complete_statement(part):
            yield part
            part = ""
    if part.strip(" \n\t;"):
        yield part


def main():
    with open("shop.sql", encoding="utf-8", errors="replace") as file:
        text = file.read()
    base = sqlite3.connect(":memory:", isolation_level=None)
    base.set_progress_handler(lambda: 1, 2_000_000)
    base.set_authorizer(lambda action, *_: sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK)
    failed = 0
    for statement in statements(text):
        try:
            base.execute(statement).fetchall()
        except sqlite3.IntegrityError as error:
            words = statement.split()
            if "FOREIGN KEY" not in str(error) or not words or words[0].upper().rstrip(";") != "COMMIT":
                return 1
            failed += 1
            base.execute("ROLLBACK")
        except (sqlite3.Error, sqlite3.Warning, ValueError):
            return 1
    return 0 if failed == 1 else 1


sys.exit(main())

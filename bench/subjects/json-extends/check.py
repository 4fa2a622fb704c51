"""Resolves services that extend each other, with an overlay on top. Interesting: it fails on a parent that the overlay
has switched off, in the second step of a chain."""

import json
import sys


class Resolver:
    def __init__(self, services, overlay):
        self.services = dict(services)
        # The bug: null is to switch a service off, but those that extend it are not asked.
        self.services.update(overlay)
        self.chain = []

    def resolve(self, name):
        if name in self.chain:
            raise ValueError("a circle")
        self.chain.append(name)
        service = self.services[name]
        if not isinstance(service, (dict, type(None))):
            raise ValueError("not a service")
        parent = service.get("extends")
        result = {} if parent is None else dict(self.resolve(parent))
        result.update(service)
        self.chain.pop()
        return result


def main():
    try:
        with open("services.json", encoding="utf-8") as file:
            document = json.load(file)
        services, overlay = document["services"], document["overlay"]
        resolver = Resolver(services, overlay)
        names = [name for name in services if resolver.services[name] is not None]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 1
    for name in names:
        resolver.chain = []
        try:
            resolver.resolve(name)
        except AttributeError:
            if len(resolver.chain) >= 3:
                return 0
        except (ValueError, KeyError, TypeError, RecursionError):
            return 1
    return 1


sys.exit(main())

#!/usr/bin/env bash
. "${0%/*}/check.sh"
run 3 python3 -S -E six.py
[ "$status" = 139 ] || exit 1
# The crash is that of the unfinished tuple: it is gone if nobody can see it.
run 3 python3 -S -E -c '
import gc
gc.get_referrers = lambda *objects: []
exec(compile(open("six.py").read(), "six.py", "exec"), {"__name__": "__main__"})'
[ "$status" != 139 ]

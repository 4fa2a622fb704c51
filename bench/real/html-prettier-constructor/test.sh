#!/usr/bin/env bash
. "${0%/*}/check.sh"
prettier_says html page.html
said 'isClosedByChild is not a function'

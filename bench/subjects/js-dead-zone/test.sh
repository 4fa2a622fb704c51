#!/bin/sh
exec timeout 10 node "${0%/*}/check.js"

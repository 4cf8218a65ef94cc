#!/usr/bin/env bash
# Runs a test written in Python, with its arguments, by the interpreter that Debian has.
exec /usr/bin/python3 "$@" -v

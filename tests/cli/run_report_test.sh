#!/usr/bin/env bash
# Runs the tests of the command with the interpreter that Debian has.
exec python3 "$1" "$2" -v

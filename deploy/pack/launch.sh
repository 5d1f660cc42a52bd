#!/bin/sh
# Starts the program of this machine's system and processor: a desktop extension names
# one command for all machines of a system.
system=$(uname -s | tr '[:upper:]' '[:lower:]')
case $(uname -m) in
x86_64 | amd64) processor=amd64 ;;
arm64 | aarch64) processor=arm64 ;;
*) processor=$(uname -m) ;;
esac
program=$(dirname "$0")/${system}_$processor/ontogate
if ! [ -f "$program" ]; then
	echo "ontogate: this extension holds no program for $system on $processor" >&2
	exit 1
fi
# Not every client keeps the mode of what it unpacks.
[ -x "$program" ] || chmod +x "$program"
exec "$program" "$@"

#!/bin/sh
# Puts the program together, which "make deploy-dist" compressed and cut into parts, and
# becomes it: signals reach the program itself. The arguments are the program's.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1

# A start that is ended leaves nothing half written, also as the first process of a
# container, which no signal ends by itself. The program does not inherit this.
fresh=
trap 'rm -f "$fresh"; exit 143' HUP INT TERM

# unpack writes the program into a folder, whole or not at all, and holds that it runs
# there: a folder may be read-only, full, or closed for programs.
unpack() {
	fresh="$1/ontogate.$$"
	cat "$here"/ontogate.gz.* | gzip -dc >"$fresh" &&
		chmod 755 "$fresh" &&
		"$fresh" version >/dev/null &&
		mv -f "$fresh" "$1/ontogate" && return
	rm -f "$fresh"
	return 1
}

dir="$here/.unpacked"
if ! { mkdir -p "$dir" && unpack "$dir"; } 2>/dev/null; then
	# What went wrong here is told, for there is no third place.
	dir=$(mktemp -d "${TMPDIR:-/tmp}/ontogate.XXXXXX") && unpack "$dir" || {
		echo "start.sh: the program can be unpacked neither in $here nor in ${TMPDIR:-/tmp}" >&2
		exit 1
	}
fi
exec "$dir/ontogate" "$@"

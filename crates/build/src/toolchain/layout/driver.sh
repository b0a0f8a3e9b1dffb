#!/bin/sh
# Wraps a compiler that links, so that it finds tare's linker first even if the caller names a folder itself (as rustc does
# with `-B`).
self=${0%/*}
path=
set -f
blanks=$IFS
IFS=:
for folder in $PATH; do
    # A compiler's wrapper that searches for the next program of its name must not find this one.
    [ "$folder" -ef "$self" ] || path=$path${path:+:}$folder
done
IFS=$blanks
PATH=$path
export PATH
exec "${0##*/}" "-B${self%/*}" "$@"

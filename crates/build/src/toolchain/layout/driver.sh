#!/bin/sh
# Stands before a compiler that links: makes it find tare's linker first, also where the caller names a folder of its own
# (rustc does, with `-B`).
self=${0%/*}
path=
set -f
blanks=$IFS
IFS=:
for folder in $PATH; do
    # A compiler's wrapper that looks for the next of its name must not find this one.
    [ "$folder" -ef "$self" ] || path=$path${path:+:}$folder
done
IFS=$blanks
PATH=$path
export PATH
exec "${0##*/}" "-B${self%/*}" "$@"

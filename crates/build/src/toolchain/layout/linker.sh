#!/bin/sh
# Wraps the linker while tare builds. Links as asked, then records how, so that the same program can be linked again with its
# functions in another order. A failure to record does not fail the build.
name=${0##*/}
self=${0%/*}
real=

find_in() {
    for folder; do
        folder=${folder%/}
        if [ -z "$real" ] && [ -f "$folder/$name" ] && [ -x "$folder/$name" ] && ! [ "$folder" -ef "$self" ]; then
            real=$folder/$name
        fi
    done
}

set -f
blanks=$IFS
IFS=:
find_in $COMPILER_PATH
# clang also searches its own folder, which COMPILER_PATH lacks.
[ -n "$real" ] || find_in "$(readlink "/proc/$PPID/exe" | sed 's,/[^/]*$,,')"
[ -n "$real" ] || find_in $PATH
IFS=$blanks
if [ -z "$real" ]; then
    echo "tare: no linker $name" >&2
    exit 127
fi
[ -n "$TARE_LINKS" ] || exec "$real" "$@"

out=a.out
before=
for word; do
    case $before in -o) out=$word ;; esac
    case $word in
    -shared | --shared | -Bshareable | -r | -i | -Ur | --relocatable | -v | --version | --help) exec "$real" "$@" ;;
    esac
    before=$word
done
case ${out##*/} in build-script* | build_script*) exec "$real" "$@" ;; esac
"$real" "$@" || exit $?

note() {
    umask 077
    id=$(printf %s "$PWD/$out" | cksum) || return
    new=$TARE_LINKS/.$$
    mkdir -p "$new/objects" || return
    printf '%s\0' "$@" >"$new/words" || return
    printf '%s\0' "$real" "$PWD" "$out" >"$new/link" || return
    for variable in COLLECT_GCC COLLECT_GCC_OPTIONS COMPILER_PATH LIBRARY_PATH; do
        eval "value=\$$variable"
        [ -z "$value" ] || printf '%s\0' "$variable=$value"
    done >"$new/variables" || return
    # Objects that the compiler deletes after the link.
    temporary=${TMPDIR:-/tmp}
    temporary=${temporary%/}
    for word; do
        shift
        case $word in
        *.rcgu.o | */rustc??????/*) [ -f "$word" ] && set -- "$@" "$word" ;;
        "$temporary"/*/*) ;;
        "$temporary"/*) [ -f "$word" ] && set -- "$@" "$word" ;;
        esac
    done
    if [ $# -gt 0 ]; then
        ln -- "$@" "$new/objects/" || cp -f -- "$@" "$new/objects/" || return
    fi
    place=$TARE_LINKS/${id%% *}
    rm -rf "$place" && mv "$new" "$place"
}
note "$@" >/dev/null 2>&1 || rm -rf "$TARE_LINKS/.$$"
exit 0

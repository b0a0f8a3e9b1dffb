#!/bin/sh
# Cuts Noto Sans to the letters of pictures: subset.sh REGULAR.ttf SEMIBOLD.ttf (needs `pip install fonttools`).
# Made of version 2.015 as in the npm package @expo-google-fonts/noto-sans 0.4.2.
set -eu
letters=U+0020-007E,U+00A0-017F,U+0192,U+0218-021B,U+02C6-02DD,U+0370-03FF,U+0400-045F,U+0490-0491,U+1E9E,U+2010-2027,U+2030,U+2032-2033,U+2039-203A,U+2044
letters=$letters,U+2070-208E,U+20AC,U+2116,U+2122,U+2126,U+2212,U+FFFD
here=$(dirname "$0")
cut() {
    pyftsubset "$1" --unicodes="$letters" --no-hinting --desubroutinize --layout-features='' --drop-tables+=GDEF,GPOS,GSUB,STAT,meta --name-IDs=0,1,2,13,14 --notdef-outline --output-file="$here/$2"
}
cut "$1" NotoSans-Regular.ttf
cut "$2" NotoSans-SemiBold.ttf

#!/bin/sh
# Takes the files of demo/math/musl from a version of musl, with the two changes that the README there names.
#   update.sh VERSION [SOURCES]           replaces them
#   update.sh --check VERSION [SOURCES]   only names those that differ; fails when there are any
# SOURCES is the folder of an unpacked musl; without it, the sources come from musl.libc.org.
set -eu

check=
if [ "${1:-}" = --check ]; then check=yes && shift; fi
version=${1:?usage: update.sh [--check] VERSION [SOURCES]} sources=${2:-}
own=$(cd "$(dirname "$0")/musl" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "$sources" ]; then
  curl -fsS --proto =https "https://musl.libc.org/releases/musl-$version.tar.gz" | tar -xzC "$work"
  sources=$work/musl-$version
fi
if [ "$(cat "$sources/VERSION")" != "$version" ]; then
  echo "update.sh: $sources is musl $(cat "$sources/VERSION"), not $version" >&2
  exit 1
fi

differ=0
for file in "$own"/*; do
  name=$(basename "$file")
  case $name in README | fp_arch.h) continue ;; esac # ours
  for from in "$sources/src/math/$name" "$sources/src/internal/$name" "$sources/$name"; do
    if [ -f "$from" ]; then break; fi
  done
  sed 's/<features\.h>/"fp_arch.h"/; /#include <endian\.h>/d' "$from" >"$work/new"
  if cmp -s "$work/new" "$file"; then continue; fi
  echo "$name differs from that of musl $version"
  differ=$((differ + 1))
  if [ -z "$check" ]; then cp "$work/new" "$file"; fi
done
if [ -n "$check" ]; then
  [ $differ = 0 ]
else
  sed -i "s/from musl [0-9.]*/from musl $version/" "$own/README"
  echo "$differ files are new: run build/tests specs, and replay recordings of the games"
fi

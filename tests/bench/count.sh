#!/bin/sh
# Instructions per operation on the hot paths, counted by callgrind: two runs that differ in 10 000 operations and in
# nothing else. No timing, so the figures are the same on every machine with the same compiler and libraries.
# Prints "path instructions" lines. Needs valgrind; run from the repository root after `make bench-build`.
set -eu

command -v valgrind >/dev/null 2>&1 || { echo "count: valgrind is not installed" >&2; exit 0; }

LUA_PATH="lua/?.lua;lua/?/init.lua;;"
LUA_CPATH="build/?.so;;"
export LUA_PATH LUA_CPATH

collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | sed -n 's/.*Collected : //p'
}

# name, command without its last argument
count() {
  name=$1
  shift
  few=$(collected "$@" 2000)
  many=$(collected "$@" 12000)
  [ -n "$few" ] && [ -n "$many" ] || { echo "count: $* failed" >&2; return 0; }
  awk -v name="$name" -v few="$few" -v many="$many" 'BEGIN { printf "%-20s %.1f\n", name, (many - few) / 10000 }'
}

for path in pair pair_life cell expiry idle_tick walk; do
  count "core_$path" build/bench/count "$path"
done
if [ -f build/spawnpool.so ]; then
  for path in pair pair_override get set own_get own_set walk; do
    count "lua_$path" lua5.4 tests/bench/lua/count.lua "$path"
  done
fi

#!/bin/sh
# Instructions per operation on the hot paths, counted by callgrind: no timing, so the figures are the same on every
# machine with the same compiler and libraries, whatever else it does.
#   count.sh            prints "path instructions" lines, below the environment they are true for
#   count.sh --check    holds them against counts.txt: exit status 1 when a path became dearer (see compare.awk)
#   count.sh --renew    puts them into counts.txt, in place of those of the same environment
#   count.sh --curves   exit status 1 when work over 8n things takes more than ten times as many as over n
# Run from the repository root; make bench-count builds what it needs. BUILD names the build folder, CC the compiler.
set -eu

build=${BUILD:-build}
kept=tests/bench/count/counts.txt
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

skip() {
  echo "count: $1: instructions are not counted"
  exit 0
}

command -v valgrind >/dev/null 2>&1 || skip "valgrind is not installed"
[ ! -s "$build/bench/flags" ] || [ -z "$(tr -d ' \n' <"$build/bench/flags")" ] || skip "built with flags of your own"

LUA_PATH=";;"
LUA_CPATH="$build/?.so"
export LUA_PATH LUA_CPATH

# All that a count depends on but our own code: the processor, the compiler, the libraries, and what counts.
environment() {
  lua=$(ldd "$build/bench/count" | sed -n 's/.*=> \(.*liblua[^ ]*\).*/\1/p')
  compiler=$(${CC:-cc} --version | sed -n '1s/^[^ ]* (/(/; 1p')
  simd=$(grep -o -m 1 -w avx2 /proc/cpuinfo | head -n 1 || true)
  echo "environment: $(uname -m) ${simd:-no avx2}, $compiler, $(getconf GNU_LIBC_VERSION)," \
    "liblua $(cksum <"$lua" | tr ' ' '-'), $(valgrind --version)"
}

# count PROGRAM...: the program prints a name and a number before each thing it counts, and callgrind writes a file for
# each. Prints name, number and instructions.
count() {
  valgrind --tool=callgrind --callgrind-out-file="$work/count" --zero-before=counted --dump-after=counted \
    "$@" >"$work/names" 2>"$work/said" || { cat "$work/said" >&2; exit 2; }
  part=0
  while read -r name number; do
    part=$((part + 1))
    awk -v what="$name $number" '/^totals:/ { print what, $2 }' "$work/count.$part"
  done <"$work/names"
}

if [ "${1:-}" = --curves ]; then
  count "$build/bench/curves" >"$work/curves"
  awk '$1 != name { name = $1; few = $3; next }
    { printf "%-30s %10d %11d  %.1fx\n", name, few, $3, $3 / few; bent += $3 > 10 * few; curves++ }
    END { printf "count: %d curves, %d bent: over 8n things more than ten times as many as over n\n", curves, bent
          exit bent > 0 || curves == 0 }' "$work/curves"
  exit
fi

{ environment; count "$build/bench/count" tests/bench/count/paths.lua >"$work/paths"
  awk '{ printf "%-18s %.1f\n", $1, $3 / $2 }' "$work/paths"; } >"$work/counts"

case ${1:-} in
  --check)
    awk -f tests/bench/count/compare.awk "$kept" "$work/counts"
    ;;
  --renew)
    # The comments at the top, the blocks of other environments, then this one.
    awk 'FILENAME == ARGV[1] { if (/^environment:/) mine = $0; new = new $0 "\n"; next }
      /^environment:/ { other = $0 != mine; seen = 1 }
      /^#/ || !seen || other { print }
      END { printf "%s", new }' "$work/counts" "$kept" >"$work/new"
    cp "$work/new" "$kept"
    cat "$work/counts"
    ;;
  *) cat "$work/counts" ;;
esac

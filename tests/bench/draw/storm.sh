#!/bin/sh
# What a frame of the game storm costs with a hundred thousand sprites, milliseconds: the median and the 99th percentile
# of some seconds. Run under unseen.sh, where the OpenGL driver draws nothing.
set -eu

frames=240
[ -z "${BENCH_QUICK:-}" ] || frames=60
build/spawnpool --frames "$frames" --seed 1 --size 1280x720 --no-watch --stats - scripts/storm -- 100000 2>/dev/null |
  sed -n 's/.*"frame_ms":{"p50":\([0-9.]*\),"p99":\([0-9.]*\)}.*"final":true.*/median \1\nworst \2/p'

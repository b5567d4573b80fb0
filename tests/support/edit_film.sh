#!/bin/sh
# edit_film.sh PLAYER FILE.webp: records the moving picture of README.md. The game is in edit_film/, and runs in a copy,
# because it edits its own file, in a window as large as its display, of which ffmpeg (Debian: ffmpeg) makes a small
# animated WebP.
set -eu
player=$1 picture=$2
for tool in ffmpeg xvfb-run; do
  if ! command -v "$tool" >/dev/null; then
    echo "edit_film.sh: $tool is missing (Debian: apt-get install ffmpeg xvfb xauth)" >&2
    exit 1
  fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/game"
cp "$(dirname "$0")"/edit_film/*.lua "$folder/game"
export player picture folder
# shellcheck disable=SC2016 # the inner shell expands them
xvfb-run -a -s '-screen 0 640x360x24' sh -c '
  "$player" --trust --seed 4 --frames 600 "$folder/game" -- "$folder/game" & sleep 0.5
  ffmpeg -v error -y -f x11grab -draw_mouse 0 -framerate 20 -video_size 640x360 -t 9 -i "$DISPLAY" \
    -c:v libwebp_anim -loop 0 -quality 50 -compression_level 4 "$picture"
  wait'

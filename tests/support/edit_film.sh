#!/bin/sh
# edit_film.sh PLAYER FILE.webp: records the moving picture of README.md. The player does it: the game is in edit_film/,
# and runs in a copy, because it edits its own file, at the pace of the clock, because the player watches files by it.
# ffmpeg (Debian: ffmpeg) makes a small animated WebP of the player's film.
set -eu
player=$1 picture=$2
if ! command -v ffmpeg >/dev/null; then
  echo "edit_film.sh: ffmpeg is missing (Debian: apt-get install ffmpeg)" >&2
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/game"
cp "$(dirname "$0")"/edit_film/*.lua "$folder/game"
"$player" --headless --realtime --trust --seed 4 --frames 540 --record "$folder/film.png@9" "$folder/game" \
  -- "$folder/game"
ffmpeg -v error -y -f apng -i "$folder/film.png" -c:v libwebp_anim -loop 0 -quality 50 -compression_level 4 "$picture"

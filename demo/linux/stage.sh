#!/bin/sh
# Lays out the player for Linux as it lies under a prefix: bin, and share with games, pages, the manual page and
# completions; and the players for other systems, for `spawnpool pack`, that were built. With PLAYERS, a folder, only
# these, in it.
#   stage.sh BUILD VERSION FOLDER
#   stage.sh BUILD VERSION "" PLAYERS
set -eu

build=$1 version=$2 folder=$3

copy_players() {
  if [ -f "$build/windows/spawnpool-$version/spawnpool.exe" ]; then
    mkdir -p "$1/windows"
    for part in spawnpool.exe fonts licenses; do
      cp -R "$build/windows/spawnpool-$version/$part" "$1/windows"
    done
  fi
  if [ -f "$build/web/packed/spawnpool.wasm" ]; then
    mkdir -p "$1/web"
    cp -R "$build/web/packed/." "$1/web"
  fi
}

if [ $# = 4 ]; then
  copy_players "$4"
  exit
fi

share=$folder/share/spawnpool
rm -rf "$folder"
mkdir -p "$folder/bin" "$share" "$folder/share/man/man1" "$folder/share/bash-completion/completions" \
  "$folder/share/zsh/site-functions"
cp "$build/spawnpool" "$folder/bin/spawnpool"
strip "$folder/bin/spawnpool"
cp -R scripts docs "$share"
rm -rf "$share/docs/spawnpool.1" "$share"/scripts/*/recordings
cp README.md LICENSE "$share"
cp docs/spawnpool.1 "$folder/share/man/man1"
cp demo/completion/spawnpool.bash "$folder/share/bash-completion/completions/spawnpool"
cp demo/completion/_spawnpool "$folder/share/zsh/site-functions"

copy_players "$share/players"
find "$folder" -type d -exec chmod 755 {} +
find "$folder" -type f -exec chmod 644 {} +
chmod 755 "$folder/bin/spawnpool"

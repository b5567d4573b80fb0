#!/bin/sh
# Lays out the player for Linux as it lies under a prefix: bin, and share with games, pages, the manual page and
# completions; and the players for other systems, for `spawnpool pack`, that were built.
#   stage.sh BUILD VERSION FOLDER
set -eu

build=$1 version=$2 folder=$3
share=$folder/share/spawnpool
rm -rf "$folder"
mkdir -p "$folder/bin" "$share" "$folder/share/man/man1" "$folder/share/bash-completion/completions" \
  "$folder/share/zsh/site-functions"
cp "$build/spawnpool" "$folder/bin/spawnpool"
strip "$folder/bin/spawnpool"
cp -R scripts docs "$share"
rm "$share/docs/spawnpool.1"
cp README.md LICENSE "$share"
cp docs/spawnpool.1 "$folder/share/man/man1"
cp demo/completion/spawnpool.bash "$folder/share/bash-completion/completions/spawnpool"
cp demo/completion/_spawnpool "$folder/share/zsh/site-functions"

if [ -f "$build/windows/spawnpool-$version/spawnpool.exe" ]; then
  mkdir -p "$share/players/windows"
  for part in spawnpool.exe fonts licenses; do
    cp -R "$build/windows/spawnpool-$version/$part" "$share/players/windows"
  done
fi
if [ -f "$build/web/packed/spawnpool.wasm" ]; then
  mkdir -p "$share/players"
  cp -R "$build/web/packed" "$share/players/web"
fi
find "$folder" -type d -exec chmod 755 {} +
find "$folder" -type f -exec chmod 644 {} +
chmod 755 "$folder/bin/spawnpool"

#!/bin/sh
# Writes a folder as FILE.tar.gz or FILE.zip, in which it has the name NAME, with the same bytes each time. Wants GNU
# tar, or zip.
#   pack_folder.sh FOLDER FILE NAME
set -eu

folder=$1 file=$2 name=$3
at=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}
list() { (cd "$1" && find "$2" -type f | LC_ALL=C sort); }

case $file in
*.zip)
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  cp -R "$folder" "$copy/$name"
  find "$copy" -exec touch -d "@$at" {} +
  rm -f "$file"
  list "$copy" "$name" | (cd "$copy" && TZ=UTC zip -q -9 -X - -@) >"$file"
  ;;
*)
  list "$folder" . |
    tar -c -C "$folder" --format=gnu --mtime="@$at" --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w \
      --transform="s,^\.,$name," -T - -f - | gzip -9n >"$file"
  ;;
esac

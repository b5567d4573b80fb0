#!/bin/sh
# Writes a folder as a tarball, with the same bytes each time. Wants GNU tar.
#   pack_folder.sh FOLDER FILE NAME
set -eu

folder=$1 file=$2 name=$3
at=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}
(cd "$folder" && find . -type f | LC_ALL=C sort) |
  tar -c -C "$folder" --format=ustar --mtime="@$at" --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w \
    --transform="s,^\.,$name," -T - -f - | gzip -9n >"$file"

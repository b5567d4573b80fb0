#!/bin/sh
# Fetches source packages of Debian, for builds to other targets: what is compiled there cannot come from the system.
#   debian_sources.sh FOLDER PACKAGE[>=VERSION][<VERSION]...
# FOLDER/PACKAGE is then a link to the unpacked sources, with Debian's patches, in a version of that range; what is
# there already stays, and needs no network. All of them come from one release, whatever the system is, so that the same
# is compiled everywhere: bookworm, the first whose SDL2 and Emscripten can build the page, and with an SDL2 of its own,
# no layer over SDL3. The system stays as it is: apt reads a private configuration in FOLDER/apt, which names the
# archive of the system, or DEBIAN_MIRROR, and checks signatures by Debian's keys.
# Exit status: 0 all there, 2 something is missing, which one line on stderr names.
set -eu

die() {
  echo "debian_sources: $*" >&2
  exit 2
}

release=bookworm
keys=/usr/share/keyrings/debian-archive-keyring.gpg
usage='debian_sources.sh FOLDER PACKAGE[>=VERSION][<VERSION]...'
[ $# -ge 2 ] || die "usage: $usage"
mkdir -p "$1" || die "$1: the folder cannot be made"
folder=$(cd "$1" && pwd)
shift

# {== Names and versions ======================================================

name_of() {
  printf '%s' "${1%%[<>]*}"
}

# in_range VERSION PACKAGE...: an epoch in front does not count, nor does what Debian appends, at the upper end.
in_range() {
  plain=${1#*:}
  case $2 in
    *'>='*)
      low=${2#*>=}
      dpkg --compare-versions "$plain" ge "${low%%<*}" || return 1
      ;;
  esac
  case $2 in
    *'<'*) dpkg --compare-versions "$plain" lt "${2#*<}~" || return 1 ;;
  esac
}

# The version that unpacked sources tell of themselves.
version_in() {
  sed -n '1s/^[^(]*(\([^)]*\)).*/\1/p' "$1/debian/changelog" 2>/dev/null
}

is_there() {
  version=$(version_in "$folder/$(name_of "$1")") && [ -n "$version" ] && in_range "$version" "$1"
}

# }==

# {== apt with a configuration of its own =====================================

# quiet_apt TOOL ARGUMENT...
quiet_apt() {
  tool=$1
  shift
  "$tool" -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$folder/apt/archives" \
    -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User= \
    -o Acquire::Languages=none -o Acquire::Retries=2 \
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Debug::NoLocking=true "$@"
}

# The address of Debian's archive, as the system names it.
mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -nE 's,/( |$),\1,; s,^(deb|URIs:).*[[:space:]]((https?|file)://[^[:space:]]*/debian)([[:space:]].*)?$,\2,p' |
    head -n 1
}

make_configuration() {
  for tool in apt-get dpkg-source xz; do
    command -v $tool >/dev/null 2>&1 ||
      die "$tool is missing: this needs Debian or a relative of it, with the packages dpkg-dev and xz-utils"
  done
  [ -f $keys ] || die "$keys is missing, which signatures are checked by: install debian-archive-keyring"
  from=${DEBIAN_MIRROR:-$(mirror)}
  [ -n "$from" ] || die "/etc/apt names no archive of Debian: set DEBIAN_MIRROR to the address of one, .../debian"
  rm -rf "$folder/apt"
  mkdir -p "$folder/apt/archives" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
  for part in "$release" "$release-updates"; do echo "deb-src [signed-by=$keys] $from $part main"; done \
    >"$folder/apt/archives/debian.list"
  quiet_apt apt-get update >"$folder/apt/log" 2>&1 || true
}

# The versions in the range that the archive has, the newest first.
offered() {
  for version in $(quiet_apt apt-cache showsrc --only-source "$(name_of "$1")" 2>/dev/null | sed -n 's/^Version: //p')
  do
    if in_range "$version" "$1"; then echo "$version"; fi
  done | sort -rVu
}

# }==

# A download that is broken off leaves nothing that a later call could take for the sources.
fetch_version() {
  echo "debian_sources: fetching $1 $2"
  rm -rf "$folder/apt/new"
  mkdir -p "$folder/apt/new"
  (cd "$folder/apt/new" && quiet_apt apt-get source --only-source "$1=$2") >"$folder/apt/log" 2>&1 && return
  echo "debian_sources: $1 $2 could not be fetched: $(grep -m1 -E '^(E|dpkg-source: error)' "$folder/apt/log" ||
    echo "see $folder/apt/log")" >&2
  return 1
}

# try PACKAGE: one version after the other, until one is there.
try() {
  for version in $(offered "$1"); do
    if fetch_version "$(name_of "$1")" "$version"; then return 0; fi
  done
  return 1
}

# The lists may be old: they are read again before anything is given up.
fetch() {
  name=$(name_of "$1")
  { [ -d "$folder/apt/lists" ] && try "$1"; } || { make_configuration && try "$1"; } ||
    die "no source package $1 in Debian $release that could be fetched ($folder/apt/log tells what apt said)"
  for unpacked in "$folder/apt/new/$name"-*/; do
    version=$(version_in "$unpacked") || continue
    into=$(basename "$unpacked")
    rm -rf "${folder:?}/$into"
    mv "$unpacked" "$folder/$into"
    ln -sfn "$into" "$folder/$name"
  done
  rm -rf "$folder/apt/new"
  is_there "$1" || die "$name: apt unpacked nothing that is a version of $1"
}

# What lies there of another release goes.
[ "$(cat "$folder/release" 2>/dev/null)" = "$release" ] || rm -rf "${folder:?}"/*
echo "$release" >"$folder/release"

for package in "$@"; do
  is_there "$package" || fetch "$package"
done

#!/bin/sh
# Fetches source packages of Debian, for builds to other targets: what is compiled there cannot come from the system.
#   debian_sources.sh FOLDER PACKAGE[>=VERSION][<VERSION]...
# FOLDER/PACKAGE is then a link to the unpacked sources, with Debian's patches, in a version of that range; what is
# there already stays, and needs no network. The system stays as it is: apt reads a private configuration in FOLDER/apt,
# made from the system's own list of archives, and checks signatures as ever.
# Exit status: 0 all there, 2 something is missing, which one line on stderr names.
set -eu

die() {
  echo "debian_sources: $*" >&2
  exit 2
}

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
    -o Acquire::Languages=none -o Acquire::Retries=2 -o Debug::NoLocking=true "$@"
}

# The archives of the system, asked for sources instead of programs. Some of other makers have none: what counts is
# whether the package is found afterwards.
make_configuration() {
  for tool in apt-get dpkg-source xz; do
    command -v $tool >/dev/null 2>&1 ||
      die "$tool is missing: this needs Debian or a relative of it, with the packages dpkg-dev and xz-utils"
  done
  rm -rf "$folder/apt"
  mkdir -p "$folder/apt/archives" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
  n=0
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] || continue
    n=$((n + 1))
    case $list in
      *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"$folder/apt/archives/$n.sources" ;;
      *)
        sed -n 's/^ *deb\(-src\)\{0,1\}\([[:space:]]\)/deb-src\2/p' "$list" | sort -u >"$folder/apt/archives/$n.list"
        ;;
    esac
  done
  quiet_apt apt-get update >"$folder/apt/log" 2>&1 || true
}

# The newest version in the range that the archives have.
offered() {
  best=
  for version in $(quiet_apt apt-cache showsrc --only-source "$(name_of "$1")" 2>/dev/null | sed -n 's/^Version: //p')
  do
    in_range "$version" "$1" || continue
    if [ -z "$best" ] || dpkg --compare-versions "$version" gt "$best"; then best=$version; fi
  done
  printf '%s' "$best"
}

# }==

# A download that is broken off leaves nothing that a later call could take for the sources.
fetch() {
  name=$(name_of "$1")
  version=
  [ ! -d "$folder/apt/lists" ] || version=$(offered "$1")
  if [ -z "$version" ]; then
    make_configuration
    version=$(offered "$1")
  fi
  [ -n "$version" ] ||
    die "no source package $1 in the archives of /etc/apt ($folder/apt/log tells what apt said of them)"
  echo "debian_sources: fetching $name $version"
  rm -rf "$folder/apt/new"
  mkdir -p "$folder/apt/new"
  (cd "$folder/apt/new" && quiet_apt apt-get source --only-source "$name=$version") >"$folder/apt/log" 2>&1 ||
    die "$name $version could not be fetched: $(grep -m1 -E '^(E|dpkg-source: error)' "$folder/apt/log" ||
      echo "see $folder/apt/log")"
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

for package in "$@"; do
  is_there "$package" || fetch "$package"
done

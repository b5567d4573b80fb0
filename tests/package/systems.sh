#!/bin/sh
# Tries what people do first on bare systems: `make demo` and `make test` by a user with sudo who is not root, in a
# folder with a space; then a window under Xvfb. On trixie also `make web` and `make windows`.
#   systems.sh FOLDER SUITE...    FOLDER has a root for each release of Debian; one that is there is used again
# Needs root, debootstrap and the network: without them it says so, and that is no failure. What is mounted is seen by
# this process alone, and gone with it. Exit status: 1 when a step failed.
set -eu

skip() {
  echo "skipped: check-systems: $*"
  exit 0
}

folder=$1
shift
[ "$(id -u)" = 0 ] || skip "it needs root, to make empty systems"
for tool in debootstrap chroot unshare; do command -v $tool >/dev/null || skip "$tool is not installed"; done
if [ -z "${SYSTEMS_ALONE:-}" ]; then
  unshare --mount true 2>/dev/null || skip "nothing can be mounted here"
  SYSTEMS_ALONE=1 exec unshare --mount --propagation private sh "$0" "$folder" "$@"
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
failed=

# {== A bare system ===========================================================

# With the settings of this one for apt and certificates, which the network may need.
make_root() {
  mkdir -p "$root"
  debootstrap --variant=minbase --include=gcc,make,git,sudo,ca-certificates "$suite" "$root" \
    >"$folder/$suite.log" 2>&1 || return 1
  for conf in /etc/apt/apt.conf.d/*; do
    if grep -q Acquire "$conf" 2>/dev/null; then cp "$conf" "$root/etc/apt/apt.conf.d/"; fi
  done
  mkdir -p "$root/usr/local/share/ca-certificates"
  [ ! -d /usr/local/share/ca-certificates ] ||
    cp -R /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
  chroot "$root" update-ca-certificates >/dev/null 2>&1 || true
  chroot "$root" useradd --create-home --shell /bin/bash player
  echo 'player ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/player"
  echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts"
  : >"$root/.whole"
}

enter_root() {
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  chroot "$root" apt-get update -q >/dev/null 2>&1 || true
  rm -rf "$root/home/player/the tree"
  mkdir -p "$root/home/player/the tree"
  tar -c --exclude=./build . | tar -x -C "$root/home/player/the tree"
  chroot "$root" chown -R player /home/player
}

# step NAME COMMAND: runs it as the user, in the tree.
step() {
  begin=$(date +%s) log=$folder/$suite-$(echo "$1" | tr -c 'a-z\n' -).log
  if chroot "$root" su - player -c "export LANG=C.UTF-8; cd 'the tree' && { $2; }" >"$log" 2>&1 </dev/null; then
    printf '  %-9s %-14s ok      %4d s  %s\n' "$suite" "$1" $(($(date +%s) - begin)) \
      "$(grep -E '^[0-9]+ checks, ' "$log" | tail -n 1)"
  else
    printf '  %-9s %-14s FAILED  %4d s  see %s\n' "$suite" "$1" $(($(date +%s) - begin)) "$log"
    tail -n 15 "$log"
    failed=yes
  fi
}

# }==

# The first picture after a recording, by the renderer that is chosen without a word, beside the one in the tree: the
# means of squares of 16 pixels, since drivers and libraries round differently.
# shellcheck disable=SC2016
WINDOW='for game in shooter platformer garden; do
  xvfb-run -a -s "-screen 0 1280x800x24" build/spawnpool --replay tests/demo/golden/$game.input --size 640x480 \
    --screenshot /tmp/$game.png scripts/$game || exit 1
  for picture in /tmp/$game.png tests/demo/golden/$game.png; do
    convert $picture -alpha off -filter box -resize 40x30! -depth 8 rgb:-
  done | od -An -v -tu1 -w1 | awk -v game=$game "{ v[NR] = \$1 } END { n = NR / 2; if (n != 3600) exit 1
    for (i = 1; i <= n; i++) { d = v[i] - v[n + i]; if (d > 24 || d < -24) bad++ }
    printf \"%s: %d of %d means differ\n\", game, bad, n; exit bad > n / 50 }" || exit 1
done'

for suite; do
  root=$folder/$suite
  [ -e "$root/.whole" ] || { rm -rf --one-file-system "$root" && make_root; } ||
    skip "debootstrap could not make $suite: $(tail -n 1 "$folder/$suite.log")"
  enter_root
  step 'make demo' 'make demo && [ -s build/demo.png ]'
  step 'make test' 'make test'
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends xvfb xauth imagemagick \
    libgl1-mesa-dri >"$folder/$suite-window.log" 2>&1 || true
  step 'a window' "$WINDOW"
  if [ "$suite" = trixie ]; then
    step 'make web' 'make web'
    step 'make windows' 'make windows'
  fi
  umount -R "$root/dev" "$root/proc"
done
[ -z "$failed" ]

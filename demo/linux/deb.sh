#!/bin/sh
# Makes a package for Debian and its relatives of the player as stage.sh has laid it out.
#   deb.sh FOLDER VERSION OUT
set -eu

stage=$1 version=$2 out=$3
root=$stage.deb
doc=$root/usr/share/doc/spawnpool
who="${DEBFULLNAME:-spawnpool authors} <${DEBEMAIL:-authors@spawnpool.invalid}>" # without a name: nobody to write to
machine=$(dpkg --print-architecture)
at=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}
rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/debian" "$doc"
cp -R "$stage/bin" "$stage/share" "$root/usr"
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_spawnpool" "$root/usr/share/zsh/vendor-completions"
rm -r "$root/usr/share/zsh/site-functions" "$root/usr/share/spawnpool/LICENSE"
gzip -9n "$root/usr/share/man/man1/spawnpool.1"

# Which packages have the libraries, and from which version on.
printf 'Source: spawnpool\n\nPackage: spawnpool\nArchitecture: any\n' >"$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps -O usr/bin/spawnpool 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
rm -r "$root/debian"

cat >"$root/DEBIAN/control" <<END
Package: spawnpool
Version: $version-1
Architecture: $machine
Maintainer: $who
Depends: $depends, fonts-dejavu-core
Section: devel
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: player for games in Lua that reload while they run
 A pool runtime hands out and takes back game objects, Lua 5.4 scripts drive
 it, and a window draws what is alive. Edited scripts run at once, with every
 object as it was. The package has the player, its games and its pages; it
 packs games for Linux, Windows and the web.
END
{
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: spawnpool\n\n'
  printf 'Files: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
  sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
} >"$doc/copyright"
printf 'spawnpool (%s-1) unstable; urgency=medium\n\n  * Version %s: see CHANGELOG.md of the sources.\n\n -- %s  %s\n' \
  "$version" "$version" "$who" "$(LC_ALL=C date -u -R -d "@$at")" |
  gzip -9n >"$doc/changelog.Debian.gz"
find "$root" -type d -exec chmod 755 {} +
find "$root/usr/share" -type f -exec chmod 644 {} +
find "$root" -newermt "@$at" -exec touch -h -d "@$at" {} +
export SOURCE_DATE_EPOCH="$at"
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/spawnpool_$version-1_$machine.deb" >/dev/null
rm -r "$root"

-- The files of a version, as `make release` writes them: each is unpacked in an empty folder, and runs there.
local house <const> = require "house"

local test <const>, sh <const>, can <const> = house.test, house.sh, house.can

local MAKE <const> = "mk release RELEASE_FOR=linux >said && out=$built/release && "
local PLAYS <const> = "--headless --frames 60 shooter >/dev/null"

test("a release has all files, whose checksums are right", function()
  sh(MAKE .. [[(cd "$out" && sha256sum -c --quiet SHA256SUMS) && for f in spawnpool.c spawnpool.h \
    spawnpool-$VERSION.tar.gz spawnpool-$VERSION-1.rockspec spawnpool-$VERSION-linux-$(uname -m).tar.gz; do
    test -s "$out/$f" && grep -q "  $f$" "$out/SHA256SUMS" || { echo "no $f"; exit 1; }; done]])
end)

test("the player for Linux plays and packs where it was unpacked, and names no file of this machine", function()
  sh(MAKE .. [[tar xzf "$out/spawnpool-$VERSION-linux-$(uname -m).tar.gz" && cd spawnpool-$VERSION &&
    bin/spawnpool ]] .. PLAYS .. [[ && bin/spawnpool pack --for zip,linux cubes >/dev/null &&
    dist/cubes --headless --frames 60 >/dev/null && ! grep -qF "$top/" bin/spawnpool dist/cubes]])
end)

test("the package for Debian has no errors, plays, and depends on what it needs", function()
  if not can("command -v dpkg-deb && command -v dpkg-shlibdeps", "no tools for packages of Debian") then return end
  sh(MAKE .. [[deb=$(ls "$out"/spawnpool_*.deb) && dpkg-deb -f "$deb" Depends | grep -q 'libsdl2-2.0-0.*fonts' &&
    dpkg-deb -x "$deb" root && root/usr/bin/spawnpool ]] .. PLAYS)
  if can("command -v lintian", "no lintian") then
    sh(MAKE .. [[lintian --fail-on error --allow-root "$out"/spawnpool_*.deb]])
  end
end)

test("the core as one file is a library", function()
  sh(MAKE .. [[cp "$out"/spawnpool*.[ch] . && $CC -c spawnpool.c && nm spawnpool.o | grep -q sp_open]])
end)

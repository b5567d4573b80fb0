-- The files of a version, as `make release` writes them: each is unpacked in an empty folder, and runs there.
local house <const> = require "house"
local spec <const> = require "spec"

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

-- Packed from where no game is found by its name, and played where none lies.
test("each game is the same game when it is packed", function()
  sh [[for file in "$top"/tests/demo/golden/*.input; do game=$(basename "$file" .input)
    "$built/spawnpool" pack --for linux "$top/scripts/$game" >/dev/null && mkdir alone &&
    (cd alone && ../dist/$game --headless --replay "$file" 2>&1 | grep 'all as recorded') && rmdir alone ||
    { echo "$game"; exit 1; }; done]]
end)

-- A program for Windows as small as they are: its headers, and one section.
local function tiny_exe()
  local head <const> = ("<c60I4"):pack("MZ", 64) .. ("<c4I2I2c12I2I2"):pack("PE", 0x8664, 1, "", 240, 0x22)
  local options <const> = ("<I2c30I4I4c20I4c176"):pack(0x20b, "", 4096, 512, "", 1024, "")
  return ("c4096"):pack(head .. options .. ("<c8I4I4I4I4"):pack(".text", 512, 4096, 512, 1024))
end

test("a program for Windows has the icon of its game, as large as such icons can be", function()
  if not can("command -v unzip", "no unzip") then return end
  sh [[mkdir -p bin share/spawnpool/players/windows game && cp "$built/spawnpool" bin]]
  house.save("share/spawnpool/players/windows/spawnpool.exe", tiny_exe())
  house.save("game/main.lua", "return { icon = 'icon.png' }")
  for side, packed in pairs { [1024] = 256, [48] = 48 } do
    house.paint("game/icon.png", side)
    sh "bin/spawnpool pack --for windows game && unzip -qo dist/game-windows.zip"
    local exe <const> = sh "cat game.exe"
    spec.equal({ (">I4I4"):unpack(exe, exe:find "IHDR" + 4) }, { packed, packed, exe:find "IHDR" + 12 })
  end
end)

test("the players of other systems that were built are installed", function()
  sh [[mkdir -p b/web/packed/fonts b/windows/spawnpool-$VERSION/fonts b/windows/spawnpool-$VERSION/licenses &&
    touch b/web/packed/spawnpool.wasm b/windows/spawnpool-$VERSION/spawnpool.exe b/windows/spawnpool-$VERSION/more &&
    here=$PWD && cd "$top" && sh demo/linux/stage.sh "$here/b" "$VERSION" "" "$here/players" && cd "$here" &&
    (cd players && find . -type d -o -print | sort) >found &&
    printf './web/spawnpool.wasm\n./windows/spawnpool.exe\n' | diff - found]]
end)

test("licences are in the player, and in a packed game with its own", function()
  sh [[mkdir game && echo 'return {}' >game/main.lua && echo 'free for all' >game/LICENSE && cd game/.. &&
    "$built/spawnpool" pack --for linux game >/dev/null && "$built/spawnpool" --licenses >own &&
    grep -q 'Rich Felker' own && dist/game --licenses >packed && grep -q 'free for all' packed &&
    sed '/^$/d' "$top/LICENSE" | while read -r line; do grep -qxF "$line" packed || exit 1; done]]
end)

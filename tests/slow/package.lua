-- The packages for others: the tarball of the sources, the rock for Lua, the core as one file, the listing of the
-- interface, a release; and that all of them say the same version.
local house <const> = require "house"
local pages <const> = require "pages"
local spec <const> = require "spec"

local test <const>, sh <const>, can <const> = house.test, house.sh, house.can

-- {== Tarball and rock ===========================================================

-- Products of this build are as good as those of the tarball; all other installed files come from the tarball.
test("the tarball has all and makes itself again", function()
  if not can("tar --version | grep -q GNU", "no GNU tar") then return end
  sh [[name=spawnpool-$VERSION && mk dist >/dev/null && tar xzf "$built/$name.tar.gz" &&
    (cd $name && umask 077 && make -s BUILD=build dist && cmp build/$name.tar.gz "$built/$name.tar.gz") &&
    cd $name && make -s BUILD=build CC="$CC" CFLAGS=-O0 WERROR= build/embed/hello && build/embed/hello | grep -q stale]]
  sh [[mk install-files DESTDIR="$PWD/here" && cd spawnpool-$VERSION &&
    (cd build && touch spawnpool spawnpool.so libspawnpool.so.$VERSION libspawnpool_script.a &&
      mkdir -p lua/spawnpool && touch lua/spawnpool/ffi.lua lua/spawnpool/love.lua) &&
    make -s BUILD=build install-files DESTDIR=../there &&
    cd .. && rm -rf here/usr/local/share/spawnpool/players && (cd here && find . | sort) >here.txt &&
    (cd there && find . | sort) | diff here.txt -]]
end)

test("the rock installs what make installs", function()
  sh [[cd "$top" && $LUA tests/package/rock.lua lua/spawnpool-$VERSION-1.rockspec CFLAGS=-O2 \
      "LUA_INCDIR=$(echo "$LUA_CFLAGS" | sed 's/-isystem //')" LIBDIR="$OLDPWD/lib" LUADIR="$OLDPWD/share" |
      sed "s|make|make CC='$CC' BUILD='$BUILD'|" >"$OLDPWD/steps" && sh -e "$OLDPWD/steps"]]
  sh [[cmp lib/spawnpool.so "$built/spawnpool.so" &&
    diff -r -x "ffi*.lua" -x love.lua "$top/lua/spawnpool" share/spawnpool &&
    LUA_CPATH='lib/?.so' LUA_PATH='share/?.lua' $LUA \
      -e "assert(require('spawnpool').VERSION == '$VERSION' and require 'spawnpool.reload')"]]
end)

test("the rock for LuaJIT has the library beside it", function()
  if not can("command -v luajit", "no luajit") then return end
  sh [[here=$PWD && cd "$top" &&
    $LUA tests/package/rock.lua lua/spawnpool-ffi-$VERSION-1.rockspec CFLAGS=-O2 "LUADIR=$here/share" |
      sed "s|make|make CC='$CC' BUILD='$BUILD'|" >"$OLDPWD/steps" && sh -e "$OLDPWD/steps"]]
  sh [[cmp share/spawnpool/ffi.lua "$built/lua/spawnpool/ffi.lua" && cd / && LUA_PATH="$OLDPWD/share/?.lua" luajit \
    -e "local s = require 'spawnpool.ffi'; assert(s.VERSION == '$VERSION' and s.new():alloc 'A')"]]
end)

-- Several hundred frames by itself, in a window that nobody sees.
test("LÖVE plays the shooter", function()
  if not can("command -v love && command -v Xvfb", "no love, or no Xvfb") then return end
  if not can([[cd "$top" && XDG_DATA_HOME="$OLDPWD" timeout -k 5 60 sh tests/bench/draw/unseen.sh love demo/love play \
    400 >"$OLDPWD/said"; test $? != 124]], "LÖVE's window does not come up within a minute") then return end
  sh [[grep -q '^401 frames, score [1-9]' said]]
end)

test("luarocks makes the rock and removes it", function()
  if not can("luarocks --lua-version=5.4 config lua_version 2>/dev/null | grep -q 5.4",
    "luarocks is not here, or knows no Lua 5.4") then return end
  sh [[export BUILD HOME="$PWD" && tree=$PWD/tree && rock="luarocks --lua-version=5.4 --tree $tree" &&
    (cd "$top" && $rock CC="$CC" make lua/spawnpool-$VERSION-1.rockspec) && eval "$($rock path)" &&
    $LUA -e "local s = require 'spawnpool'; assert(s.pools:alloc 'A'.alive)" &&
    $rock remove spawnpool && cd "$tree" && test -z "$(find . -name '*spawnpool*')"]]
end)

-- }==

-- {== One file ===================================================================

local STRICT <const> = "-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -pedantic -Werror"

-- Besides what the library has, nothing of it is to be seen.
test("the core is one file for programs in C and C++", function()
  sh [[mk amalgam && one=$built/amalgam/spawnpool.c && ! grep -nE '^ *# *(line|include +"core/)' "$one" &&
    head -n 2 "$one" | grep -qF "spawnpool $VERSION," && grep -q 'Permission is hereby granted' "$one"]]
  sh([[$CC -std=c11 -O0 ]] .. STRICT .. [[ -c "$built/amalgam/spawnpool.c" -o one.o &&
    $CC -std=c11 -I"$built/amalgam" "$top/demo/embed/hello.c" one.o -lm -o hello && ./hello >said &&
    "$built/embed/hello" | cmp - said &&
    nm -g --defined-only one.o | awk '{ print $3 }' | sort -u >one &&
    nm -g --defined-only "$built/libspawnpool.a" | awk 'NF == 3 { print $3 }' | sort -u | diff - one]])
  if can("command -v clang", "no clang") then
    sh([[clang -std=c11 -fsyntax-only ]] .. STRICT .. [[ "$built/amalgam/spawnpool.c"]])
  end
  if house.can_cpp() then
    sh [[printf '#include <spawnpool.h>\nint main() { return sp_close(sp_open(nullptr, nullptr)); }\n' |
      $CXX -std=c++17 -I"$built/amalgam" -x c++ - -x none one.o -lm -o cpp && ./cpp]]
  end
end)

test("what would play another game is no core", function()
  sh [[mk amalgam && ! $CC -fsyntax-only -ffast-math "$built/amalgam/spawnpool.c" 2>said &&
    grep -q 'must distinguish NaN from numbers' said]]
end)

-- }==

-- {== Other machines =============================================================

-- Returns whether the compiler of a block is here, can link a program, and the program's interpreter is here.
local function can_play(block)
  local compiler <const> = block.code:match "([^\n]*) %-Ibuild/amalgam"
  local machine <const> = block.code:match "\n(qemu%-%S+)"
  return can(([[printf '#include <stdio.h>\nint main(void) { return 0; }\n' | %s -x c -o /dev/null - %s]]):format(
    compiler, machine and "&& command -v " .. machine or ""), compiler)
end

-- The page has a block for each; `make amalgam`, which begins the first one, was done.
test("a game is the same on all machines that are here", function()
  local blocks, first = 0, nil
  sh [[mk amalgam && mkdir build && ln -s "$built/amalgam" build/ && ln -s "$top/tests" .]]
  for block in pages.open "tests/README.md":each "sh" do
    blocks = blocks + 1
    if can_play(block) then
      house.save("steps", "make() { :; }\n" .. block.code)
      local out <const> = sh "sh -e steps"
      first = first or out
      pages.check(out:find "^%x+\n$" and #out == 17 and out == first, "%ssays %s, not %s", block.code, out, first)
    end
  end
  pages.check(blocks > 3, "%d blocks", blocks)
end)

-- }==

-- {== The interface ==============================================================

-- A difference is a decision: `make api RENEW=1` writes the listing anew, docs/install.md says what may change.
test("the interface is the one that is written down", function()
  sh [[cd "$top" && CC="$CC" $LUA tests/package/api.lua "$BUILD/spawnpool" >"$OLDPWD/api.txt" &&
    diff docs/api.txt "$OLDPWD/api.txt"]]
end)

test("what the libraries show is written down", function()
  sh [[nm -D --defined-only "$built/libspawnpool.so" | awk '{ print $3 }' | sort >shown &&
    sed -n '/: static inline/d; s/^\(sp_[a-z_0-9]*\): .*/\1/p' "$top/docs/api.txt" | grep -v '^sp_script_' | sort |
    diff - shown]]
end)

-- }==

-- {== The version ================================================================

local PLACES <const> = {
  [[sed -n 's/^## \[*Unreleased\]*: //p; s/^## \[*\([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1]],
  [[sed -n 's/^[.]Os "spawnpool \(.*\)"/\1/p' docs/spawnpool.1]],
  [[sed -n 's/^version = "\(.*\)-1"/\1/p' lua/*.rockspec | uniq]],
  [[sed -n 's/^local module = { VERSION = "\(.*\)" }/\1/p' "$built/lua/spawnpool/ffi.lua"]],
  [[sed -n 's/^Version: //p' "$built/spawnpool.pc"]],
  [[sed -n 's/^Version: //p' "$built/spawnpool-script.pc"]],
  [["$built/spawnpool" --version | sed 's/^spawnpool \([^ ]*\) .*/\1/']],
  [[LUA_CPATH="$built/?.so" $LUA -e 'print(require("spawnpool").VERSION)']],
  [[ls "$built/libspawnpool.so.$VERSION" | sed 's/.*[.]so[.]//']],
  [[sed -n 's/^#define SP_VERSION "\(.*\)"/\1/p' src/core/spawnpool.h]],
}

test("all say the same version", function()
  local version <const> = sh [[echo "$VERSION"]]
  for _, place in ipairs(PLACES) do spec.equal(sh([[cd "$top" && ]] .. place), version, place) end
  sh [[readelf -d "$built/libspawnpool.so" | grep -F "[$SONAME]"]]
end)

-- }==

-- What a version hands out is made from the same files, so it is tested after them, not beside them.
require "release"

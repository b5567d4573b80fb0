-- The packages for others: the tarball of the sources, the rocks, the core as one file, the listing of the interface;
-- and that all of them say the same version.
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
    (cd build && touch spawnpool spawnpool.so libspawnpool.so.$VERSION libspawnpool_script.so.$VERSION \
        libspawnpool_script.a libspawnpool_session.a \
        libspawnpool.a &&
      mkdir -p lua/spawnpool && touch lua/spawnpool/ffi.lua lua/spawnpool/love.lua) &&
    make -s BUILD=build install-files DESTDIR=../there &&
    cd .. && rm -rf here/usr/local/share/spawnpool/players && (cd here && find . | sort) >here.txt &&
    (cd there && find . | sort) | diff here.txt -]]
end)

-- Several hundred frames by itself, in a window that nobody sees.
test("LÖVE plays the shooter", function()
  if not can("command -v love && command -v Xvfb", "no love, or no Xvfb") then return end
  if not can([[cd "$top" && XDG_DATA_HOME="$OLDPWD" timeout -k 5 60 sh tests/bench/draw/unseen.sh love demo/love play \
    400 >"$OLDPWD/said"; test $? != 124]], "LÖVE's window does not come up within a minute") then return end
  sh [[grep -q '^401 frames, score [1-9]' said]]
end)

-- What luarocks builds goes beside this build, which has other flags.
local function test_rock(name, version, rock, lua, checks)
  test(name, function()
    if not can("command -v luarocks && command -v " .. lua, "no luarocks, or no " .. lua) then return end
    sh(([[export HOME="$PWD" BUILD="$PWD/b" && rock="luarocks --lua-version=%s --tree $PWD/tree" &&
      (cd "$top" && $rock CC="$CC" make lua/%s-$VERSION-1.rockspec) && eval "$($rock path)" && (cd / && %s -e "%s") &&
      $rock remove %s && test -z "$(find tree -name '*spawnpool*')"]]):format(version, rock, lua, checks, rock))
  end)
end

test_rock("the rock for Lua is made and removed", "5.4", "spawnpool", "lua5.4",
  "local s = require 'spawnpool' assert(s.VERSION == '$VERSION' and s.pools:alloc 'A'.alive)")
test_rock("the rock for LuaJIT has the library beside it", "5.1", "spawnpool-ffi", "luajit",
  "local s = require 'spawnpool.ffi' assert(s.VERSION == '$VERSION' and s.new():alloc 'A')")

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
    sh [[printf '#include <spawnpool.h>\nint main() { return sp_manager_close(sp_manager_open(nullptr, nullptr)); }\n' |
      $CXX -std=c++17 -I"$built/amalgam" -x c++ - -x none one.o -lm -o cpp && ./cpp]]
  end
end)

test("what would play another game is no core", function()
  sh [[mk amalgam && ! $CC -fsyntax-only -ffast-math "$built/amalgam/spawnpool.c" 2>said &&
    grep -q 'must distinguish NaN from numbers' said]]
end)

-- All that spawnpool.hpp has, with the compilers and the oldest and newest standard that are here.
test("in C++ managers, snapshots and lives end with their scope", function()
  if not house.can_cpp() then return end
  for _, compiler in ipairs { "$CXX", "clang++" } do
    if can("command -v " .. compiler, "no " .. compiler) then
      for _, standard in ipairs { "c++11", "c++20" } do
        sh(([[%s -std=%s -pedantic -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast \
          -Wzero-as-null-pointer-constant -Werror -I"$built/include" "$top/tests/package/scopes.cpp" \
          "$built/libspawnpool.a" -lm -o scopes && ./scopes]]):format(compiler, standard))
      end
    end
  end
end)

test("the contestants of the bench compile", function()
  if not house.can_cpp() then return end
  sh [[cd "$top" && $CXX -std=c++17 -Wall -Wextra -Isrc -fsyntax-only tests/bench/core.cpp &&
    $CC -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror $LUA_CFLAGS -fsyntax-only tests/bench/lua/empty.c]]
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

-- A difference is a decision: `make api RENEW=1` writes the listing anew, docs/changes.md says what may change.
test("the interface is the one that is written down", function()
  sh [[cd "$top" && CC="$CC" $LUA tests/package/api.lua "$BUILD/spawnpool" >"$OLDPWD/api.txt" &&
    diff docs/api.txt "$OLDPWD/api.txt"]]
end)

-- A member that fills a hole changes no size, and moves others.
test("the interface shows members that moved", function()
  sh [[mkdir -p src lua && cp -R "$top/src/core" "$top/src/script" src && cp -R "$top/lua/spawnpool" lua &&
    cp -R "$top/docs" . && sed -i.old 's/^ *uint8_t pinned;/uint8_t inserted, pinned;/; s/reserved\[2\]/reserved[1]/' \
      src/core/spawnpool_desc.h &&
    ! CC="$CC" $LUA "$top/tests/package/api.lua" "$built/spawnpool" | diff docs/api.txt - >said]]
  sh [[grep -q '^< *29: uint8_t pinned' said && grep -q '^> *29, 30: uint8_t inserted, pinned' said &&
    ! grep -q 'bytes$' said]]
  sh [[sed -i.old 's/inserted, pinned/inserted[3], pinned/' src/core/spawnpool_desc.h &&
    ! CC="$CC" $LUA "$top/tests/package/api.lua" "$built/spawnpool" | diff docs/api.txt - >said]]
  sh "grep -q '^> struct sp_look, 36 bytes' said"
end)

-- Visual C++ has other words for it; clang knows them, when it compiles for Windows.
test("a deprecated function is named with what replaces it", function()
  house.save("old.c", [[
#include <spawnpool.h>
SP_API SP_DEPRECATED("use sp_pool_trim") void sp_old(void);
void call(void); void call(void) { sp_old(); }
]])
  for _, compiler in ipairs { "$CC", "$CXX -x c++", "clang", "clang --target=x86_64-pc-windows-msvc -ffreestanding" } do
    if can(compiler .. " -fsyntax-only -x c - </dev/null", "no " .. compiler) then
      sh(compiler .. [[ -I"$built/include" -fsyntax-only old.c 2>said && grep -q 'sp_old.*use sp_pool_trim' said]])
    end
  end
end)

-- The listing has what programs may call; what the shared libraries export beside that is tests/core/check_layers.c's.
test("what the libraries show is written down", function()
  sh [[nm -D --defined-only "$built/libspawnpool.so" "$built/libspawnpool_script.so" | grep '@@SPAWNPOOL_[S0-9]' |
    sed -n 's/.* T \(.*\)@@.*/\1/p' | sort >shown &&
    sed -n '/: static inline/d; s/^\([a-z_0-9]*\): .*(.*/\1/p' "$top/docs/api.txt" | sort | diff - shown]]
  sh [[cd "$built" && nm -g --defined-only *.a | grep -E '^[0-9a-f]+ [A-Z] ' |
    { ! grep -vE ' (spl?_[a-z0-9_]+|luaopen_spawnpool(_reload)?)$'; }]]
end)

-- }==

-- {== The version ================================================================

local PLACES <const> = {
  [[sed -n 's/^## \[*Unreleased\]*: //p; s/^## \[*\([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1]],
  [[sed -n 's/^[.]Os "spawnpool \(.*\)"/\1/p' docs/spawnpool.1]],
  [[sed -n 's/^version = "\(.*\)-1"/\1/p' lua/*.rockspec | uniq]],
  [[sed -n 's/^source = .*"spawnpool-\(.*\).tar.gz", dir = "spawnpool-\1".*/\1/p' lua/*.rockspec | uniq -c |
    sed 's/^ *2 //']],
  [[sed -n 's/^local module = { VERSION = "\(.*\)" }/\1/p' "$built/lua/spawnpool/ffi.lua"]],
  [[sed -n 's/^Version: //p' "$built/spawnpool.pc"]],
  [[sed -n 's/^Version: //p' "$built/spawnpool-script.pc"]],
  [["$built/spawnpool" --version | sed 's/^spawnpool \([^ ]*\) .*/\1/']],
  [[LUA_CPATH="$built/?.so" $LUA -e 'print(require("spawnpool").VERSION)']],
  [[ls "$built/libspawnpool.so.$VERSION" | sed 's/.*[.]so[.]//']],
  [[ls "$built/libspawnpool_script.so.$VERSION" | sed 's/.*[.]so[.]//']],
  [[sed -n 's/^#define SP_VERSION "\(.*\)"/\1/p' src/core/spawnpool.h]],
}

test("all say the same version", function()
  local version <const> = sh [[echo "$VERSION"]]
  for _, place in ipairs(PLACES) do spec.equal(sh([[cd "$top" && ]] .. place), version, place) end
  sh [[readelf -d "$built/libspawnpool.so" | grep -F "[$SONAME]" &&
    readelf -d "$built/libspawnpool_script.so" | grep -F "soname: [$SCRIPT_SONAME]"]]
end)

-- }==

-- The installed files work without the sources: programs in C and C++, a host of scripts, a stock Lua, the player in
-- any folder. `make uninstall` leaves what is not ours.
local house <const> = require "house"
local pages <const> = require "pages"
local spec <const> = require "spec"

local test <const>, sh <const>, can <const>, save <const> = house.test, house.sh, house.can, house.save

-- A test beside an installed copy, in the folder `local`.
local function test_installed(name, fn)
  test(name, function()
    sh [[mk install-files PREFIX="$PWD/local"]]
    fn()
  end)
end

-- {== Programs ===================================================================

local CORE <const> = [[
#include <spawnpool.h>
int main(void) { sp_result why; sp_manager *m = sp_manager_open(0, &why);
  sp_pool_desc d = sp_pool_defaults("A");
  sp_pool *p = sp_manager_add_pool(m, &d, &why); sp_ref a = sp_pool_alloc(p, 1.0, NULL, &why);
  sp_manager_update(m, 2.0);
  return a != 0 && !sp_object_is_live(m, a) && sp_manager_close(m) == SP_OK ? 0 : 1; }
]]

-- A host, which also opens the library in a state of its own.
local SCRIPT <const> = [[
#include <spawnpool.h>
#include <spawnpool_script.h>
#ifdef __cplusplus
#include <lua.hpp>
#else
#include <lauxlib.h>
#include <lualib.h>
#endif
int main(void) { char error[99]; sp_script_options o = sp_script_defaults("game");
  sp_script *s = sp_script_open(&o, error, sizeof error); if (!s || !sp_script_start(s, 0, 0)) return 1;
  sp_script_update(s, 1.5); if (sp_pool_live(sp_manager_pool(sp_script_pools(s), "A")) != 1) return 2;
  sp_script_close(s);
  lua_State *L = luaL_newstate(); luaL_openlibs(L); luaL_requiref(L, "spawnpool", luaopen_spawnpool, 1);
  int bad = luaL_dostring(L, "assert(spawnpool.VERSION == '" SP_VERSION "')"); lua_close(L); return bad; }
]]

-- Builds and runs `program` with what pkg-config says of a package; `compiler` names the language, too. Returns what
-- the program prints.
local function expect_program(compiler, package, libraries)
  return sh(([[export PKG_CONFIG_PATH="$PWD/local/lib/pkgconfig:$PKG_CONFIG_PATH";
    %s -Wall -Werror $(pkg-config --cflags %s) program -x none -o built %s &&
    LD_LIBRARY_PATH="$PWD/local/lib" ./built]]):format(compiler, package, libraries))
end

-- Both libraries as archives.
local STATIC <const> = "local/lib/libspawnpool_script.a local/lib/libspawnpool.a "
  .. "$(pkg-config --libs lua5.4) -lm -lpthread -lrt"

test_installed("programs in C and C++ use the core", function()
  save("program", CORE)
  expect_program("$CC -x c", "spawnpool", "$(pkg-config --libs spawnpool)")
  sh [[readelf -d built | grep 'NEEDED' | grep -qF "[$SONAME]"]]
  if house.can_cpp() then expect_program("$CXX -x c++", "spawnpool", "local/lib/libspawnpool.a -lm") end
  if can("echo 'int main(void) { return 0; }' | $CC -static -x c -o /dev/null -", "no static C library") then
    expect_program("$CC -static -x c", "spawnpool", "$(pkg-config --libs --static spawnpool)")
  end
end)

test_installed("hosts of scripts need the script library and the core, and no SDL", function()
  local C <const>, LIBRARIES <const> = "$CC -x c", "$(pkg-config --libs spawnpool-script)"
  sh "mkdir game"
  save("game/main.lua", [[local pools <const> = require('spawnpool').pools
    pools:alloc('A', 1) pools:alloc('A', 2) return {}]])
  save("program", SCRIPT)
  expect_program(C, "spawnpool-script", LIBRARIES)
  sh([[readelf -d built | grep -q "NEEDED.*\[$SCRIPT_SONAME\]" && ! readelf -d built | grep 'NEEDED.*SDL']])
  expect_program(C, "spawnpool-script", "$(pkg-config --libs spawnpool spawnpool-script)")
  expect_program(C, "spawnpool-script", STATIC)
  sh([[readelf -d built | grep 'NEEDED.*\(SDL\|spawnpool\)']], 1)
  if house.can_cpp() then expect_program("$CXX -x c++", "spawnpool-script", LIBRARIES) end
end)

-- A host with a state of its own, in which Lua requires the installed module. What the bridge says is the last line.
local OWN_STATE <const> = [[
#include <lauxlib.h>
#include <lualib.h>
#include <spawnpool_script.h>
#include <stdio.h>
int main(void) { lua_State *L = luaL_newstate(); luaL_openlibs(L);
  if (luaL_dostring(L, "package.cpath = 'local/lib/lua/5.4/?.so' local s = require 'spawnpool' s.class 'A'"
    " local o = s.pools:alloc 'A' s.pools:update(1) assert(o.alive) return o"))
    return puts(lua_tostring(L, -1)), 1;
  const char *problem = sp_lua_problem(L, 1); puts(problem ? problem : "one copy"); lua_close(L); return 0; }
]]

test_installed("a host and the module that its state requires are one copy, if the host is linked with the libraries",
  function()
    save("program", OWN_STATE)
    spec.equal(expect_program("$CC -x c", "spawnpool-script", "$(pkg-config --libs spawnpool-script)"), "one copy\n")
  end)

test_installed("a host that has the library in it is another copy, also when it exports Lua and all else", function()
  save("program", OWN_STATE)
  for _, linked in ipairs { "", "-Wl,-E", "-Wl,-E,--exclude-libs,libspawnpool.a:libspawnpool_script.a" } do
    local said <const> = expect_program("$CC -x c", "spawnpool-script", linked .. " " .. STATIC)
    pages.check(said:find "^this state's spawnpool is another copy", said)
  end
  if not can([[test -e "$(pkg-config --variable=libdir lua5.4)/liblua5.4.a"]], "no static Lua") then return end
  local said <const> = expect_program("$CC -x c", "spawnpool-script", "-Wl,-E local/lib/libspawnpool_script.a "
    .. [[local/lib/libspawnpool.a "$(pkg-config --variable=libdir lua5.4)/liblua5.4.a" -lm -lpthread -lrt -ldl]])
  pages.check(said:find "another copy", said)
  sh "! readelf -d built | grep 'NEEDED.*lua'"
end)

test_installed("a module that is given the core of another version says so", function()
  save("program", OWN_STATE .. [[const char *sp_version(void) { return "9.8.7"; }]])
  sh [[export PKG_CONFIG_PATH="$PWD/local/lib/pkgconfig:$PKG_CONFIG_PATH" &&
    $CC -x c $(pkg-config --cflags spawnpool-script) program -x none -o built -Wl,-E \
      $(pkg-config --libs spawnpool-script)]]
  local said <const> = sh([[LD_LIBRARY_PATH="$PWD/local/lib" ./built]], 1)
  pages.check(said:find "and the program exports the core of 9.8.7: link it with", said)
end)

-- }==

-- {== Lua and the player =========================================================

test_installed("a stock Lua requires the module, LuaJIT the pools", function()
  sh [[LUA_CPATH='local/lib/lua/5.4/?.so' LUA_PATH='local/share/lua/5.4/?.lua;local/share/lua/5.4/?/init.lua' $LUA -W \
    -e "local s = require 'spawnpool'; assert(s.VERSION == '$VERSION')
      local o = s.pools:alloc('A', 1); assert(o.alive); s.pools:update(2); assert(not o.alive)" \
    -e 'assert(require("spawnpool.reload").now)']]
  if not can("command -v luajit", "no luajit") then return end
  sh [[LUA_PATH='local/share/lua/5.1/?.lua' LD_LIBRARY_PATH="$PWD/local/lib" luajit \
    -e "local s = require 'spawnpool.ffi'; assert(s.VERSION == '$VERSION' and s.new():alloc 'A')"]]
end)

-- A game in the current folder comes first; an unknown one is reported by its name.
test_installed("the player runs in any folder and finds its games", function()
  sh [[here=$PWD && cd / && "$here/local/bin/spawnpool" --headless --frames 3 shooter]]
  sh [[PATH="$PWD/local/bin:$PATH" && spawnpool init new && spawnpool --check new]]
  sh [[mkdir shooter && echo 'print "mine" return {}' >shooter/main.lua &&
    test "$(local/bin/spawnpool --headless --frames 1 shooter)" = mine && rm -r shooter]]
  local _, err <const> = sh([[here=$PWD && cd / && "$here/local/bin/spawnpool" shoter]], 2)
  spec.equal(err, "spawnpool: shoter: no such file or folder; did you mean 'shooter'?\n")
end)

-- }==

-- {== Places =====================================================================

-- Where it goes has a space in its name.
test("another prefix needs no other build", function()
  sh [[steps() { mk -n "$@" all | grep -E '[.](c|o|a) |[.]so'; }
    steps >here; steps PREFIX="$PWD/my games" | diff here -]]
  save("program", CORE)
  sh [[mk install-files PREFIX="$PWD/my games" && export PKG_CONFIG_PATH="$PWD/my games/lib/pkgconfig" &&
    eval "$CC" -x c $(pkg-config --cflags spawnpool) program -x none -o built $(pkg-config --libs spawnpool) &&
    LD_LIBRARY_PATH="$PWD/my games/lib" ./built && 'my games/bin/spawnpool' --check cubes]]
end)

-- Here is no library that pkg-config knows; then there is Lua.
test("the core is built and installed without Lua and SDL", function()
  sh [[mkdir pc && export PKG_CONFIG_LIBDIR="$PWD/pc" BUILD="$PWD/b" && mk -n core >/dev/null]]
  sh([[export PKG_CONFIG_LIBDIR="$PWD/pc" BUILD="$PWD/b" && mk -n script >/dev/null]], 2)
  sh [[printf 'Name: lua5.4\nDescription: Lua\nVersion: 5.4.6\nLibs: -llua5.4\n' >pc/lua5.4.pc &&
    export PKG_CONFIG_LIBDIR="$PWD/pc" BUILD="$PWD/b" && mk -n script >/dev/null]]
  sh [[mk install-core DESTDIR="$PWD/core" && (cd core/usr/local && find * -not -type d) | LC_ALL=C sort >there &&
    printf '%s\n' include/spawnpool.h include/spawnpool.hpp include/spawnpool_tools.h lib/libspawnpool.a \
      lib/libspawnpool.so lib/$SONAME lib/libspawnpool.so.$VERSION lib/pkgconfig/spawnpool.pc \
      share/lua/5.1/spawnpool/ffi.lua share/lua/5.1/spawnpool/love.lua | diff there -]]
end)

test("a prefix that is no whole path is refused", function()
  sh("mk install-core PREFIX='~/x' 2>said", 2)
  sh [[grep -q "PREFIX must begin with /, and is '~/x'" said && ! test -e "$top/~"]]
end)

test("uninstall leaves nothing but what is not ours", function()
  sh [[mk DESTDIR="$PWD/a stage" install-files && cd 'a stage/usr/local' && test -x bin/spawnpool &&
    ! test -e share/spawnpool/scripts/shooter/recordings && touch share/spawnpool/mine lib/mine]]
  local left <const> = sh [[mk DESTDIR="$PWD/a stage" uninstall && cd 'a stage' && find . -not -type d | LC_ALL=C sort]]
  spec.equal(left, "./usr/local/lib/mine\n./usr/local/share/spawnpool/mine\n")
  sh [[rm 'a stage/usr/local/share/spawnpool/mine' && mk DESTDIR="$PWD/a stage" uninstall &&
    ! test -e 'a stage/usr/local/share/spawnpool']]
end)

-- }==

-- {== The page ===================================================================

-- Its blocks run one after the other in one shell, in a copy of the tree. What was built is built: `make install` would
-- look whether it is, with flags that may not be those of this build. luarocks has a test of its own.
local BEFORE <const> = [[
set -e
cc() { command %s "$@"; }
luarocks() { :; }
make() { [ "$1" != install ] || { shift; set -- install-files "$@"; }; command make -s "$@"; }
]]

-- And all that the first table lists is there, but for players that were not built; the one of the zip has a test under
-- wine.
local BEHIND <const> = [[
./hello | grep -q stale
cd "$HOME/.local"
sed -n '/^## On Windows/q;/players/d;s,^| `\([a-z0-9._]*/[a-z0-9._/-]*\)` .*,\1,p' "$top/docs/install.md" >../listed
test $(wc -l <../listed) -gt 10
while read -r f; do ls -d "$f"; done <../listed
]]

test("the page of installing says what works", function()
  local steps <const> = { BEFORE:format(require "host".cc) }
  for block in pages.open "docs/install.md":each "sh" do steps[#steps + 1] = block.code end
  pages.check(#steps > 6, "%d blocks", #steps - 1)
  save("steps", table.concat(steps) .. BEHIND)
  sh [[mkdir tree && export top HOME="$PWD" && tree=$PWD/tree && (cd "$top" &&
    cp -Rp src lua scripts tests demo docs Makefile README.md LICENSE demo/embed/hello.c "$tree") &&
    cd tree && ln -s "$built" build && sh ../steps]]
end)

-- }==

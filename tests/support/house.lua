-- For tests of the house from outside: command lines in an empty folder, on a build as people have it. They find there
--   $top, $built           the tree, and what was built in it
--   mk WORD...             make, on this very build
--   $CC, $CXX, $LUA        programs; $LUA_CFLAGS
--   $VERSION, $SONAME      of the library; $SCRIPT_SONAME of that of scripts
local host <const> = require "host"
local pages <const> = require "pages"
local spec <const> = require "spec"

local house <const> = {}

local version <const> = io.popen(host.build .. "/spawnpool --version"):read "a":match "^spawnpool (%S+)"
local PATIENCE <const> = 280 -- seconds, for whole builds on a busy machine
local folder

local BEGIN <const> = ([[top=$PWD BUILD='%s' CC='%s' CXX='%s' LUA_CFLAGS='%s' VERSION='%s' SONAME='libspawnpool.so.%s'
  SCRIPT_SONAME=$(echo "$SONAME" | sed 's/[.]so/_script&/')
  LUA=$(command -v lua5.4 || command -v lua) built=$(cd "$BUILD" && pwd)
  mk() { (cd "$top" && make -s BUILD="$BUILD" "$@"); }
  cd '%%s' && { %%s
  }]]):format(host.build, host.cc, host.cxx, host.lua_cflags, version, version:match "^%d+%.%d+")

-- Runs command lines that must exit with `status`, 0 if not given; what they printed on both streams.
function house.sh(commands, status)
  local got <const>, out <const>, err <const> = host.run(BEGIN:format(folder, commands), PATIENCE)
  if got ~= (status or 0) then error(("exit status %d\n%s%s"):format(got, out, err), 2) end
  return out, err
end

-- Returns whether command lines succeed: a missing program is reported, and the test goes on without it.
function house.can(commands, why)
  local able <const> = host.run(BEGIN:format(folder, commands)) == 0
  if not able then host.skip("house", why) end
  return able
end

function house.can_cpp()
  return house.can([[echo '#include <vector>' | $CXX -fsyntax-only -x c++ -]], "no C++ compiler")
end

function house.save(name, text) pages.write(folder .. "/" .. name, text) end

-- Saves a picture of one colour.
function house.paint(name, side) host.paint(folder .. "/" .. name, side, side, 0xff3060c0, 0xff3060c0) end

-- A plain build is what gets installed; and whole compilers run here, which a tool would only slow down.
function house.test(name, fn)
  spec.test(name, function()
    if host.tool ~= "" then return host.skip(name, "only on a plain build") end
    folder = spec.folder()
    local _ <close> = setmetatable({}, { __close = function() spec.remove(folder) end })
    fn()
  end, 2)
end

return house

-- Programs that are built with CMake: with the sources inside of theirs, and with an installed copy.
local house <const> = require "house"
local pages <const> = require "pages"

local sh <const> = house.sh

local function test(name, fn)
  house.test(name, function()
    if house.can("cmake --version", "no cmake") then fn() end
  end)
end

-- Returns the part of a line of the page's block before "# or: ", or behind it.
local function line_of(number, is_other)
  local at = 0
  for line in pages.open "docs/install.md":find("cmake", "").code:gmatch "[^\n]+" do
    at = at + 1
    if at == number then return line:match(is_other and "# or: (.*)" or "^(.-)%s*# or: ") end
  end
end

-- Builds the program NAME.c of demo/embed as the page says.
local function build_program(name, is_installed, with_script, options)
  house.save("CMakeLists.txt", table.concat({
    "cmake_minimum_required(VERSION 3.16)", "project(game LANGUAGES C)", "set(CMAKE_C_STANDARD 11)",
    line_of(1, is_installed), ("add_executable(game %s.c)"):format(name),
    "target_compile_definitions(game PRIVATE _POSIX_C_SOURCE=200809L)",
    with_script and ("target_link_libraries(game PRIVATE %s)"):format(line_of(2, true)) or line_of(2), "",
  }, "\n"))
  sh(([[cp "$top/demo/embed/%s.c" . && { [ -e spawnpool ] || ln -s "$top" spawnpool; } && rm -rf build &&
    CC="$CC" cmake -S . -B build -DCMAKE_PREFIX_PATH="$PWD/there" %s >log && cmake --build build -j2 >>log]]):format(
    name, options or ""))
end

test("a program has the sources inside of its own", function()
  for kind, status in pairs { OFF = 1, ON = 0 } do
    build_program("hello", false, false, "-DBUILD_SHARED_LIBS=" .. kind)
    sh "build/game | grep -q stale"
    sh([[ldd build/game | grep -q "$SONAME"]], status)
  end
  sh [[! cmake --install build --prefix "$PWD/there" 2>&1 | grep -q spawnpool]]
end)

local function build_own(options)
  sh(([[CC="$CC" cmake -S "$top" -B own -DSPAWNPOOL_SCRIPT=ON %s >/dev/null && cmake --build own -j2 >/dev/null]])
    :format(options))
end

test("a program finds what was installed", function()
  build_own [[-DCMAKE_INSTALL_PREFIX="$PWD/there"]]
  sh "cmake --install own >/dev/null"
  build_program("hello", true, false)
  sh "build/game | grep -q stale"
  build_program("headless", true, true)
  sh [[cd "$top" && "$OLDPWD/build/game" demo/embed/headless </dev/null]]
  sh([[grep -r "$top" there/lib/cmake]], 1)
end)

-- The two ways to build it make the same libraries: the same calls, and the same Lua side.
test("it has the calls of the makefile", function()
  build_own "-DBUILD_SHARED_LIBS=ON"
  sh [[names() { nm "$@" | awk 'NF > 2 && $(NF - 1) ~ /[TDR]/ { print $NF }' | sort; } &&
    names -D own/libspawnpool.so >a && names -D "$built/libspawnpool.so" | diff a - &&
    names own/libspawnpool_script.a >a && names "$built/libspawnpool_script.a" | diff a - &&
    grep -q spawnpool.reloading own/libspawnpool_script.a]]
end)

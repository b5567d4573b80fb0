-- Programs that are built with CMake: with the sources inside of theirs, and with an installed copy.
local house <const> = require "house"
local pages <const> = require "pages"

local sh <const> = house.sh

local function test(name, fn)
  house.test(name, function()
    if house.can("cmake --version", "no cmake") then fn() end
  end)
end

-- Builds the program NAME.c of demo/embed with the lines of docs/install.md: those before "# or: ", or behind it.
local function build_program(name, is_installed, with_script, options)
  local block <const> = pages.open "docs/install.md":find("cmake", "").code
  local packages <const>, libraries <const> = block:match "^([^\n]*)\n([^\n]*)"
  local function choose(line, is_other) return line:match(is_other and "# or: (.*)" or "^(.-)%s*# or: ") end
  house.save("CMakeLists.txt", table.concat({
    "cmake_minimum_required(VERSION 3.16)", "project(game LANGUAGES C)", "set(CMAKE_C_STANDARD 11)",
    choose(packages, is_installed), ("add_executable(game %s.c)"):format(name),
    "target_compile_definitions(game PRIVATE _POSIX_C_SOURCE=200809L)",
    with_script and ("target_link_libraries(game PRIVATE %s)"):format(choose(libraries, true)) or choose(libraries), "",
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

-- With archives, then with shared libraries; these export what those of the Makefile do.
test("a program finds what was installed", function()
  for status, kind in pairs { "OFF", [0] = "ON" } do
    sh(([[rm -rf own there && CC="$CC" cmake -S "$top" -B own -DSPAWNPOOL_SCRIPT=ON -DBUILD_SHARED_LIBS=%s \
      -DCMAKE_INSTALL_PREFIX="$PWD/there" >/dev/null && cmake --build own -j2 >/dev/null &&
      cmake --install own >/dev/null]]):format(kind))
    build_program("hello", true, false)
    sh "build/game | grep -q stale"
    build_program("headless", true, true)
    sh [[cd "$top" && "$OLDPWD/build/game" demo/embed/headless </dev/null]]
    sh([[grep -r "$top" there/lib/cmake]], 1)
    sh([[ldd build/game | grep "$SCRIPT_SONAME" && ldd build/game | grep "$SONAME" && for library in '' _script; do
      symbols() { nm -D --defined-only "$1/libspawnpool$library.so" | cut -d ' ' -f 2- | sort; }
      symbols there/lib* >cmake && symbols "$built" | diff - cmake || exit 2; done]], status)
  end
end)

-- The host is a part of another project, as FetchContent makes it.
test("a program with scripts has the sources inside of its own", function()
  for _, kind in ipairs { "OFF", "ON" } do
    build_program("headless", false, true, "-DSPAWNPOOL_SCRIPT=ON -DBUILD_SHARED_LIBS=" .. kind)
    sh [[cd "$top" && "$OLDPWD/build/game" demo/embed/headless </dev/null]]
  end
end)

-- The tree of the sources from outside: what changed is built again, missing packages are named, and the public headers
-- are C and C++.
local house <const> = require "house"
local pages <const> = require "pages"

local test <const>, sh <const> = house.test, house.sh

test("what changes is built again, and nothing else", function()
  sh [[cp -R "$top/Makefile" "$top/src" . && core=build/libspawnpool.a &&
    core() { make -s BUILD=build WERROR= CC="$CC" CFLAGS=-O0 "$@" $core; } && core && core -q &&
    touch -t 203501010000 src/core/spawnpool.h && core -n V=1 | grep -q 'obj/src/core/pool.o' &&
    touch src/core/spawnpool.h && core && core -q && ! core -q CFLAGS=-O1 && ! core -q CC=other-cc &&
    echo 'extern const int extra; const int extra = 1;' >src/core/extra.c &&
    ! core -q && core && core -q && nm $core | grep -q extra &&
    rm src/core/extra.c && ! core -q && core && core -q && ! nm $core | grep -q extra &&
    mv src/core/ages.h src/core/years.h && sed -i.old 's/ages[.]h"/years.h"/' src/core/*.[ch] && core && core -q]]
end)

-- {== Dependencies ===============================================================

-- A PATH with nothing of what the build needs, and no package manager. Some names have a '+' of their own.
test("without a package manager the names of packages are printed", function()
  sh [[mkdir bin && for tool in sh awk grep find id dirname mkdir; do ln -s "$(command -v $tool)" bin; done]]
  local out <const>, err <const> = sh([[here=$PWD && cd "$top" &&
    PATH=$here/bin BUILD=$here CC=none sh tests/support/deps.sh bench]], 2)
  pages.check(out == "", out)
  for _, name in ipairs { "Debian, Ubuntu", " libsdl2-dev ", " lua5.4 liblua5.4-dev ", " g++", "Fedora", " SDL2-devel ",
    " gcc-c++", "Arch", " sdl2_ttf ", "Alpine", " lua5.4-dev ", "Homebrew", "make bench" } do
    pages.check(err:find(name, 1, true), "no '%s' in: %s", name, err)
  end
end)

-- A package manager that only notes that it was called.
test("what is installed is said first, and can be refused", function()
  sh [[mkdir bin && printf '#!/bin/sh\necho called' >bin/apt-get && printf '#!/bin/sh\n"$@"' >bin/sudo &&
    chmod +x bin/*]]
  for _, answer in ipairs { "yes", "no" } do
    local out <const> = sh(([[here=$PWD && cd "$top" &&
      PATH=$here/bin:$PATH CC=none DEPS=%s BUILD=$here sh tests/support/deps.sh demo]]):format(answer), 2)
    local said <const> = out:find "apt%-get installs libc6%-dev.*called" ~= nil
    pages.check(said == (answer == "yes") and (said or not out:find "called"), "%s: %s", answer, out)
  end
end)

-- }==

-- In every dialect that a program may be written in, by every compiler that is here.
test("the public headers are C and C++", function()
  for _, compiler in ipairs { "$CC -x c -std=c11", "$CC -x c -std=gnu17", "$CXX -x c++ -std=c++17",
    "$CXX -x c++ -std=c++20", "clang -x c -std=c11", "clang++ -x c++ -std=c++20" } do
    if house.can(("echo | %s -fsyntax-only -"):format(compiler), compiler) then
      sh(([[echo '#include <spawnpool_script.h>' | %s -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -pedantic \
        -Werror -I"$built/include" -]]):format(compiler))
    end
  end
end)

-- Libraries whose names begin as ours do, or that games have; SP_OK is libserialport's, too, as docs/install.md says.
test("a program has the public headers beside those of other libraries", function()
  for _, header in ipairs { "libserialport.h", "uv.h", "SDL2/SDL.h", "lua5.4/lua.h" } do
    local there <const> = ("printf '#include <%s>\n' | $CC -fsyntax-only -x c -"):format(header)
    if house.can(there, "no " .. header) then
      sh(([[printf '#include <spawnpool.h>\n#include <spawnpool_tools.h>\n#include <spawnpool_script.h>\n%%s\n' \
        '#define SP_OK OTHER_OK' '#include <%s>' | $CC -fsyntax-only -x c -I"$built/include" -]]):format(header))
    end
  end
end)

-- The C, the C++ and the command lines for building that pages show: all of it is compiled and run.
local examples <const> = require "examples"
local host <const> = require "host"
local pages <const> = require "pages"

local check <const>, write <const> = pages.check, pages.write
local place <const>, shell <const>, equal <const> = examples.place, examples.shell, examples.equal
local programs <const> = {}

local LUA <const> = "$(command -v lua5.4 || command -v lua) "
local LUA_LIBS <const> = " $(pkg-config --cflags --libs lua5.4 2>/dev/null || pkg-config --cflags --libs lua) "
local CORE_LIBS <const> = host.build .. "/libspawnpool.a -lm"
local SCRIPT_LIBS <const> = ("%s/libspawnpool_script.a %s -lm -lpthread"):format(host.build, LUA_LIBS)
local UNSEEN <const> = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software "

-- Compiles a file of the folder into a program beside it.
local function compile(name, libraries, compiler)
  shell("%s -O0 -g -Wall -Wextra -Werror -Wno-unused-variable -I%s/include -o '%s' '%s' %s",
    compiler or host.cc .. " -std=c11", host.build, place(name:match "^[^.]+"), place(name), libraries)
end

-- A whole program prints what its comments show behind its calls of a print.
local function run_program(block, compiler)
  local name <const>, shown <const> = compiler and "program.cpp" or "program.c", {}
  for text in block.code:gmatch 'printf?%([^\n]*%);%s*/%* ([^\n]*) %*/' do shown[#shown + 1] = text .. "\n" end
  for text in block.code:gmatch 'cout [^\n]*; // ([^\n]*)' do shown[#shown + 1] = text .. "\n" end
  check(#shown > 0, "%s:%d shows no output", block.page, block.line)
  write(place(name), block.code)
  compile(name, CORE_LIBS, compiler)
  equal(shell("'" .. place "program" .. "'"), table.concat(shown), block.page .. ", line " .. block.line)
end

-- How much of a block's code is functions: what begins with `static` ends with a brace at the end of its line, or at
-- the beginning of one.
local function functions_length(code)
  local at = 1
  while code:find("^static ", at) do
    local _, last = code:find("^[^\n]*}\n+", at)
    if not last then last = select(2, assert(code:find("\n}\n+", at))) end
    at = last + 1
  end
  return at - 1
end

-- Errors of the compiler and of asserts then name the line of the page.
local function at_line(block, line, code) return ('#line %d "%s"\n%s\n'):format(line, block.page, code) end

-- The first block is the head of one program, each other block the inside of a function of it, behind the functions
-- that it begins with. `begin` and `finish` are what the page says stands around each example.
local function run_examples(page, info, begin, finish, libraries)
  local program <const>, calls <const> = {}, {}
  for block in page:each(info) do
    if block.code:find "\nint main%(" then
      run_program(block)
    elseif #program == 0 then
      program[1] = at_line(block, block.line, block.code)
    else
      local length <const> = functions_length(block.code)
      local functions <const> = block.code:sub(1, length)
      local _, lines <const> = functions:gsub("\n", "")
      program[#program + 1] = at_line(block, block.line, functions)
        .. ("static void example_%d(void)\n{\n%s  {\n"):format(block.line, begin)
        .. at_line(block, block.line + lines, block.code:sub(length + 1)) .. "  }\n" .. finish .. "}\n"
      calls[#calls + 1] = ("  example_%d();\n"):format(block.line)
    end
  end
  if #calls == 0 then return end
  for block in page:each "lua" do check(examples.save(block), "line %d is no file", block.line) end
  write(place "page.c", table.concat(program) .. ("int main(void)\n{\n%s}\n"):format(table.concat(calls)))
  compile("page.c", libraries)
  local _, err <const> = shell("cd '%s' && ./page", host.folder)
  check(err == "" and #calls >= 3, err)
end

function programs.core(page)
  run_examples(page, "c", '  sp_manager *game = sp_open(NULL, NULL);\n  sp_pool *bullets = open_pool(game, "Bullet");\n'
    .. "  assert(bullets);\n", "  assert(sp_close(game) == SP_OK);\n", CORE_LIBS)
  for block in page:each "cpp" do
    if host.run(("echo | %s -fsyntax-only -x c++ -"):format(host.cxx)) ~= 0 then
      return host.skip("docs", "no C++ compiler")
    end
    run_program(block, host.cxx .. " -std=c++11 -pedantic")
  end
end

function programs.script(page)
  run_examples(page, "c script", "  sp_script *script = start_game();\n  sp_manager *pools = sp_script_pools(script);\n"
    .. "  assert(pools);\n", "  sp_script_close(script);\n", SCRIPT_LIBS)
end

-- Runs the commands of a block in a folder, behind others; then runs what they have made.
local function build_as_said(page, begin, before, after)
  write(place "commands", page:find("sh", begin).code)
  local _, err <const> = shell([[folder='%s'; cc() { command %s "$@" -O0; }; %s && cd "$folder" && set -e &&
    . ./commands && %s]], host.folder, host.cc, before, after)
  check(err == "", err)
end

function programs.building(page)
  build_as_said(page, "cc -O2 hello.c ", ([[make -s BUILD=%s DESTDIR="$folder/stage" install-files &&
    cp demo/embed/*.c "$folder" && lib="$folder/stage/usr/local/lib" &&
    sed -i.old "s,/usr/local,$folder/stage&," "$lib/pkgconfig/"*.pc &&
    export PKG_CONFIG_PATH="$lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}" LD_LIBRARY_PATH="$lib"]]):format(
    host.build), "./hello && ./rollback && " .. UNSEEN
    .. "./renderer 2 && ! ./headless nowhere 2>/dev/null")
  build_as_said(page, "cc -O2 -Ibuild/include ", ([[rm "$folder/hello" &&
    ln -s "$PWD/demo" "$PWD/src" "$folder" && ln -s "$(cd %s && pwd)" "$folder/build"]]):format(host.build),
    "./hello && rm hello")
  build_as_said(page, "cc -O3 -ffp-contract=off -Isrc ", "true", "./hello")
end

-- The output that the page tells of counter.lua, with the edits of its text.
local COUNTER <const> = [[
local reload = require "spawnpool.reload"
reload.watch "game" package.path = "game/?.lua;" .. package.path
local counter = require "counter"
local function edit(from, to)
  local f = io.open "game/counter.lua" local text = f:read "a" f:close()
  local edited, n = text:gsub(from, to) assert(n == 1)
  f = io.open("game/counter.lua", "w") f:write(edited) f:close()
  assert(reload.now().ok)
end
for _ = 1, 41 do counter.add "a" end
edit("step <const> = 1", "step <const> = 10") print(counter.add "b")
edit("count = 0", "count = 5") print(counter.add "c")
]]

function programs.hot_reload(page)
  for block in page:each "lua" do check(examples.save(block), "line %d is no file", block.line) end
  shell("mv '%s' '%s'", place "counter.lua", place "game/")
  write(place "try.lua", COUNTER)
  local here <const> = ("build=$(cd %s && pwd) && cd '%s' && export LUA_CPATH=\"$build/?.so\" && "):format(host.build,
    host.folder)
  equal(shell(here .. LUA .. "try.lua"), "51\t42\n15\t43\n", "the counter")
  local out <const> = shell(here .. [[
    await() { i=0; until grep -q "$1" out || [ $i -gt 800 ]; do sleep 0.05; i=$((i + 1)); done; } &&
    { ]] .. LUA .. [[ -e "io.stdout:setvbuf 'line'" server.lua >out 2>&1 & } && pid=$! && await 'hello you, 3' &&
    sed -i.old s/hello/welcome/ game/greeter.lua && await 'welcome you'; kill $pid; cat out]])
  local last
  for n in (out:match "^(.*)reloaded greeter%.lua in " or ""):gmatch "hello you, (%d+)" do last = tonumber(n) end
  equal(out:match "welcome you, (%d+)", tostring(last and last + 1), "the count that goes on")
end

return programs

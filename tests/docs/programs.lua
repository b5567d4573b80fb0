-- Pages about C: their programs are compiled and run, and the reference names all that the headers have.
local host <const> = require "host"
local pages <const> = require "pages"
local samples <const> = require "samples"

local check <const>, place <const>, equal <const> = pages.check, samples.place, samples.equal
local programs <const> = {}

local LUA <const> = "$(command -v lua5.4 || command -v lua) "
local LUA_LIBS <const> = " $(pkg-config --cflags --libs lua5.4 2>/dev/null || pkg-config --cflags --libs lua) "
local SCRIPT_LIBS <const> = ("%s/libspawnpool_script.a %s -lm -lpthread"):format(host.build, LUA_LIBS)
local UNSEEN <const> = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software "

-- Returns the output of a command line, which must succeed.
local function shell(command)
  local status <const>, out <const>, err <const> = host.run(command)
  check(status == 0, "%s", out .. err)
  return out, err
end

-- Compiles a file of the folder into a program beside it.
local function compile(name, libraries, compiler)
  return shell(("%s -O0 -g -Wall -Wextra -Werror -Wno-unused-variable -I%s/include -o '%s' '%s' %s"):format(
    compiler or host.cc .. " -std=c11", host.build, place(name:match "^[^.]+"), place(name), libraries))
end

-- {== Examples =================================================================

function programs.readme(page)
  local block <const> = page:find("c", "")
  pages.write(place "example.c", block.code)
  compile("example.c", host.build .. "/libspawnpool.a -lm")
  equal(shell("'" .. place "example" .. "'"), "x is 300\nlive: no\n", "the program of the page")
  check(select(2, block.code:gsub("\n", "")) <= 20, "it is long")
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
local function at_line(page, line, code) return ('#line %d "%s"\n%s\n'):format(line, page.path, code) end

-- The first block is the head of one program, each other block the inside of a function of it, behind the functions
-- that it begins with. `begin` and `finish` are what the page says stands around each example. Files that the page
-- shows, named in their first lines, lie where the program runs.
local function run_examples(page, info, begin, finish, libraries)
  local program <const>, calls <const> = {}, {}
  for block in page:each(info) do
    if #program == 0 then
      program[1] = at_line(page, block.line, block.code)
    else
      local length <const> = functions_length(block.code)
      local functions <const> = block.code:sub(1, length)
      local _, lines <const> = functions:gsub("\n", "")
      program[#program + 1] = at_line(page, block.line, functions)
        .. ("static void example_%d(void)\n{\n%s  {\n"):format(block.line, begin)
        .. at_line(page, block.line + lines, block.code:sub(length + 1)) .. "  }\n" .. finish .. "}\n"
      calls[#calls + 1] = ("  example_%d();\n"):format(block.line)
    end
  end
  for block in page:each "lua" do
    local name <const> = check(block.code:match "^%-%- (game/%S+)\n", "line %d is no file", block.line)
    shell(("mkdir -p '%s'"):format(place(name:match "^(.*)/")))
    pages.write(place(name), block.code)
  end
  pages.write(place "page.c", table.concat(program) .. ("int main(void)\n{\n%s}\n"):format(table.concat(calls)))
  compile("page.c", libraries)
  local _, err <const> = shell(("cd '%s' && ./page"):format(host.folder))
  check(err == "" and #calls >= 3, err)
end

function programs.core_examples(page)
  run_examples(page, "c", '  sp_manager *game = sp_open(NULL, NULL);\n  sp_pool *bullets = open_pool(game, "Bullet");\n'
    .. "  assert(bullets);\n", "  assert(sp_close(game) == SP_OK);\n", host.build .. "/libspawnpool.a -lm")
end

function programs.script_examples(page)
  run_examples(page, "c script", "  sp_script *script = start_game();\n  sp_manager *pools = sp_script_pools(script);\n"
    .. "  assert(pools);\n", "  sp_script_close(script);\n", SCRIPT_LIBS)
end

-- }==

-- {== Programs that reload =====================================================

-- Runs `program` in the folder until it has said `said`; then makes the edit, and waits for `said_then`. Returns its
-- output.
local function edit_while_it_runs(program, said, edit, said_then)
  local out <const> = shell(([[
    build=$(cd %s && pwd) && cd '%s' && export LUA_CPATH="$build/?.so" &&
    await() { i=0; until grep -q "$1" out || [ $i -gt 800 ]; do sleep 0.05; i=$((i + 1)); done; } &&
    { %s >out 2>&1 & } && pid=$! && await '%s' && %s && await '%s'; kill $pid; cat out]]):format(
    host.build, host.folder, program, said, edit, said_then))
  check(out:find(said_then, 1, true), "'%s' is not in:\n%s", said_then, out)
  return out
end

-- The output that the page shows of counter.lua, with the edits of its text.
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
  shell(("mkdir '%s'"):format(place "game"))
  for _, name in ipairs { "server.lua", "game/greeter.lua", "counter.lua" } do
    local path <const> = name == "counter.lua" and "game/" .. name or name
    pages.write(place(path), page:find("lua", "-- " .. name).code)
  end
  pages.write(place "try.lua", COUNTER)
  equal(shell(([[build=$(cd %s && pwd) && cd '%s' && LUA_CPATH="$build/?.so" %s try.lua]]):format(host.build,
    host.folder, LUA)), "51\t42\n15\t43\n", "the counter")
  local out <const> = edit_while_it_runs(LUA .. [[ -e "io.stdout:setvbuf 'line'" server.lua]], "hello you, 3",
    "sed -i.old s/hello/welcome/ game/greeter.lua", "welcome you")
  local last
  for n in out:match "^(.*)reloaded greeter%.lua in ":gmatch "hello you, (%d+)" do last = tonumber(n) end
  equal(out:match "welcome you, (%d+)", tostring(last + 1), "the count that goes on")
  pages.write(place "host.c", page:find("c", "/* host.c */").code)
  pages.write(place "game/main.lua", "return { update = function() print(('before '):rep(200)) end }\n")
  compile("host.c", SCRIPT_LIBS)
  edit_while_it_runs("./host", "before", "sed -i.old s/before/after/ game/main.lua", "after")
end

-- }==

-- {== Building the examples ====================================================

-- Runs the commands of a block in a folder, behind others; then runs what they have made.
local function build_as_said(page, begin, before, after)
  pages.write(place "commands", page:find("sh", begin).code)
  local _, err <const> = shell(([[folder='%s'; cc() { command %s "$@" -O0; }; %s && cd "$folder" && set -e &&
    . ./commands && %s]]):format(host.folder, host.cc, before, after))
  check(err == "", err)
end

function programs.embedding(page)
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
  pages.write(place "sparks.c", page:find("c program", "").code)
  compile("sparks.c", host.build .. "/libspawnpool.a -lm")
  local sparks <const> = shell("'" .. place "sparks" .. "'")
  check(page.text:find("/* " .. sparks:sub(1, -2) .. " */", 1, true) and #sparks > 10, sparks)
  pages.write(place "tanks.cpp", page:find("cpp", "").code)
  if host.run(("echo | %s -fsyntax-only -x c++ -"):format(host.cxx)) ~= 0 then
    return host.skip("docs", "no C++ compiler")
  end
  compile("tanks.cpp", host.build .. "/libspawnpool.a -lm", host.cxx .. " -std=c++11 -pedantic")
  local out <const> = shell("'" .. place "tanks" .. "'")
  check(page.text:find("// " .. out, 1, true) and out == "1 lost, 0 live\n", out)
end

-- }==

-- {== Contracts in the headers =================================================

local HEADERS <const> = { "src/core/spawnpool.h", "src/core/spawnpool_save.h", "src/core/spawnpool_tasks.h",
  "src/core/spawnpool_tools.h", "src/script/script.h" }

-- A comment may be the contract of so many declarations below it, up to a blank line.
local SHARED_MOST <const> = 5

-- Returns the names that are declared without a comment behind or above them.
local function without_contract(text)
  local names <const>, left, rest = {}, 0, text:gsub("/%*.-%*/", function(comment)
    return comment:find("{==", 1, true) and "/*-*/" or "/*" .. ("+"):rep(#comment:gsub("[^\n]", "") + 1) .. "*/"
  end)
  rest = rest:gsub("\n([^\n]*%b{}[^\n;]*;)", function(record) return "\n" .. record:gsub("%b{}", "{}") end)
  for line in rest:gsub("(%f[%w]SP_API [^;]-;)", function(code) return (code:gsub("%s+", " ")) end):gmatch "[^\n]*" do
    local name <const> = line:match "^SP_API .-([%w_]+)%(" or line:match "^typedef .-%(%*([%w_]+)%)"
      or line:match "^typedef .-([%w_]+);" or line:match "^#define (SP_[%w_]+)[ (]"
    if line == "" or line:find("/*-*/", 1, true) then
      left = 0
    elseif line:find "^/%*%+" then
      left = SHARED_MOST
    elseif name and name ~= "SP_API" and not name:find "_ENUM$" and not line:find "/%*%+" then
      if left == 0 then names[#names + 1] = name end
      left = math.max(left - 1, 0)
    end
  end
  return names
end

-- Every public function, type and macro has a contract.
function programs.contracts()
  for _, path in ipairs(HEADERS) do
    local names <const> = without_contract(pages.read(path))
    check(#names == 0, "%s: no comment says what these promise: %s", path, table.concat(names, ", "))
  end
  local SOME <const> = "/* Opens. */\nSP_API int sp_a(int x,\n  int y);\n\nSP_API int sp_b(void); /* b */\n"
    .. "SP_API int sp_c(void);\n\n/* {== D == */\n\ntypedef struct sp_d {\n  int x; /* x */\n} sp_d;\n#define SP_E 1\n"
  equal(table.concat(without_contract(SOME), " "), "sp_c sp_d SP_E", "names without a contract")
end

-- }==

return programs

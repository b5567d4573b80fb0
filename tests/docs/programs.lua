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
local function run_examples(page, begin, finish, libraries)
  local program <const>, calls <const> = {}, {}
  for block in page:each "c" do
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
  check(err == "" and #calls >= 8, err)
end

function programs.core_examples(page)
  run_examples(page, '  sp_manager *game = sp_open(NULL, NULL);\n  sp_pool *bullets = open_pool(game, "Bullet");\n'
    .. "  assert(bullets);\n", "  assert(sp_close(game) == SP_OK);\n", host.build .. "/libspawnpool.a -lm")
end

function programs.script_examples(page)
  run_examples(page, "  sp_script *script = start_game();\n  sp_manager *pools = sp_script_pools(script);\n"
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
  pages.write(place "sparks.c", page:find("c", "#include <spawnpool.h>").code)
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

-- {== The reference against the headers ========================================

-- Names of the preprocessor that are no part of what a program uses.
local PRIVATE <const> = { SP_API = true, SP_RESULT_ENUM = true, SP_WHY_ENUM = true }

local function squeeze(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

-- The names that the declarations between two braces declare; of an enum, its values.
local function members(kind, body)
  local out <const> = {}
  if kind == "enum" then
    for name in body:gsub("#[^\n]*", ""):gmatch "(SP_[%u_]+)" do out[name] = true end
    return out
  end
  for declaration in body:gmatch "([^;{}]+);" do
    local pointer <const> = declaration:match "%(%*([%w_]+)%)"
    for name in ((pointer or squeeze(declaration):gsub("%b[]", "")) .. ","):gmatch "([%w_]+) *," do out[name] = true end
  end
  return out
end

-- A public header, with the one that it includes at its end.
local function header_text(path)
  local text <const> = pages.read(path)
  local save <const> = text:match '#include "(spawnpool_save%.h)"'
  return save and text .. pages.read(path:gsub("[^/]+$", "") .. save) or text
end

-- functions: a list of declarations; records: type -> set of its fields or values; all: every public name. Names in
-- X-macro lists, as SP_RESULTS is one, are put together by the preprocessor.
local function read_header(path)
  local code <const> = header_text(path):gsub("/%*.-%*/", ""):gsub("#define SP_API[^\n]*", "")
  local functions <const>, records <const>, all <const> = {}, {}, {}
  for declaration in code:gmatch "SP_API%s+([^;]-%b());" do
    functions[#functions + 1] = squeeze(declaration)
    all[declaration:match "([%w_]+)%("] = true
  end
  for kind, body, name in code:gmatch "typedef (%l+) [%w_]+ (%b{}) ([%w_]+);" do
    records[name], all[name] = members(kind, body), true
    for value in pairs(kind == "enum" and records[name] or {}) do all[value] = true end
  end
  for declaration in code:gmatch "typedef ([^{}]-);" do
    all[declaration:match "%(%*([%w_]+)%)" or declaration:match "([%w_]+)$"] = true
  end
  for name in code:gmatch "#define (SP_[%w_]+)" do all[name] = not PRIVATE[name] or nil end
  for list, prefix in pairs { SP_RESULTS = "SP_", SP_WHYS = "SP_WHY_" } do
    for name in (code:match("#define " .. list .. "%(X%)(.-)\n\n") or ""):gmatch "X%(([%u_]+)," do
      all[prefix .. name] = true
    end
  end
  return functions, records, all
end

-- Functions stand on the page as the header declares them, in its order, and each is called in an example.
local function expect_functions(page, functions)
  local at, examples = 0, ""
  for block in page:each "c" do examples = examples .. block.code end
  for code in page.prose:gmatch "\n%- `([^`]-%))`" do
    at = at + 1
    equal(squeeze(code), functions[at], page.path .. ": function " .. at)
  end
  check(at == #functions and at >= 20, "%s has %d functions, the header %d", page.path, at, #functions)
  for _, declaration in ipairs(functions) do
    local name <const> = declaration:match "([%w_]+)%("
    check(examples:find("%f[%w_]" .. name .. "%f[^%w_]"), "no example calls %s", name)
  end
end

-- The names in the first cells of the table under the heading of a type.
local function expect_rows(page, name, fields)
  local heading <const> = "\n###+ `" .. name .. "`\n"
  local section <const> = page.prose:match(heading .. "(.-)\n#") or page.prose:match(heading .. "(.*)")
  check(section, "%s has no heading for %s", page.path, name)
  local found <const> = {}
  for cell in ("\n" .. section):gmatch "\n|([^|\n]+)|" do
    for word in cell:gmatch "`([%w_]+)`" do found[word] = true end
  end
  if next(fields) and name ~= "sp_result" and name ~= "sp_why" then pages.expect_same_names(found, fields, name) end
end

-- Every public name of the header is on its page. The page may name no other, but for those of `others`.
local function expect_names(page, path, others)
  local functions <const>, records <const>, all <const> = read_header(path)
  expect_functions(page, functions)
  for name, fields in pairs(records) do expect_rows(page, name, fields) end
  for name, word, text in header_text(path):gmatch 'X%(([%u_]+), "([^"]*)", "([^"]*)"%)' do
    local row <const> = ("\n| `SP_%s` | %s | %s |\n"):format(name, word, text)
    check(page.prose:find(row, 1, true), "%s has no row %s", page.path, row)
  end
  local named <const> = {}
  for code in page.prose:gmatch "`([^`]+)`" do
    for name in code:gmatch "%f[%w_]([Ss][Pp]_[%w_]+)" do named[name] = true end
    for name in code:gmatch "%f[%w_](luaopen_[%w_]+)" do named[name] = true end
  end
  for name in pairs(all) do check(named[name], "%s does not have %s", page.path, name) end
  for name in pairs(named) do check(all[name] or others[name], "%s: there is no %s", page.path, name) end
end

local CORE <const>, SCRIPT <const> = "src/core/spawnpool.h", "src/script/script.h"

function programs.core_names(page) expect_names(page, CORE, {}) end

function programs.script_names(page) expect_names(page, SCRIPT, select(3, read_header(CORE))) end

-- }==

return programs

-- Runs every example of the pages. `page` declares which function runs the blocks of a page with these infos; a block
-- that none runs is a fault. Blocks of `text` are output, those of `sh` are for site.lua, those of `cmake` for
-- tests/slow. What a page tells of an example beside its code is in claims.lua. The files of tests/docs/run add the
-- tests that compile programs, or the others.
local claims <const> = require "claims"
local facts <const> = require "facts"
local host <const> = require "host"
local pages <const> = require "pages"
local player <const> = require "player"
local site <const> = require "site"

local check <const>, sh <const> = pages.check, player.sh
local tests <const>, declared <const> = {}, {} -- path -> set of infos

local function test(name, fn, compiling)
  tests[#tests + 1] = { name = name, fn = fn, compiling = compiling or false }
end

-- Declares that fn(page) uses each block of the page with one of the infos.
local function page(path, infos, fn, compiling)
  declared[path] = declared[path] or {}
  for _, info in ipairs(infos) do declared[path][info] = true end
  test(path .. " " .. table.concat(infos, ", ") .. " " .. #tests + 1, function()
    local it <const> = pages.open(path)
    if compiling and host.tool ~= "" then return host.skip("docs", path .. ": only on a plain build") end
    fn(it)
    for _, block in ipairs(it.blocks) do
      for _, info in ipairs(infos) do
        check(block.info ~= info or block.used, "%s:%d: no test runs this block", path, block.line)
      end
    end
  end, compiling)
end

-- Saves a block that is a file, in a folder; "": the game's. Returns its name, or nil for any other block.
local function save(block, folder)
  local name <const> = block.code:match "^%-%- (%S+%.lua)\n"
  if name then player.save(folder .. name, block.code) end
  return name
end

-- {== What Lua shows ===========================================================

-- A block of Lua does what it shows:
--
--   print(drop.alive) --> false          prints this; a line that prints several times shows them parted by "; "
--   drop.coler = 1    --> error: TEXT    raises this, behind the place; " ..." at its end stands for the rest
--   pools:alloc "Drp" --> warning: TEXT  the library warns of this; it may say more
--
-- A print or a warning that is not shown is wrong. A tab of print is shown as a blank. This stands before the block, on
-- its first line: what a line prints or raises is printed behind its number. A snippet is over with its last line.
local PRELUDE <const> = [[local is_over
  local function print_at(n) return function(...) if not is_over then print("@" .. n, ...) end end end
  local function raises(n, fn) local ok, m = pcall(fn)
    print("@" .. n, "error: " .. (ok and "nothing" or tostring(m):gsub("^[^:]*:%d+: ", "")))
  end ]]

-- Returns the code with its prints and raising lines numbered; what each line shows; and the warnings.
local function prepare(code)
  local lines <const>, shown <const>, warned <const> = {}, {}, {}
  for line in code:gmatch "([^\n]*)\n" do
    local number <const> = #lines + 1
    local statement <const>, text <const> = line:match "^(.-)%s*%-%-> (.*)$"
    local warning <const> = text and text:match "^warning: (.*)"
    if warning then warned[#warned + 1] = warning elseif text then shown[number] = text end
    line = (statement or line):gsub("%f[%w_.]print%f[^%w_]", ("print_at(%d)"):format(number))
    local is_error <const> = text and text:find "^error: "
    lines[number] = is_error and ("raises(%d, function() %s end)"):format(number, line) or line
  end
  return PRELUDE:gsub("\n", " ") .. table.concat(lines, "\n") .. "\n", shown, warned
end

local function is_as_shown(got, want)
  local begin <const> = want and want:match "^(.*) ?%.%.%.$"
  return got == want or begin and got:sub(1, #begin) == begin
end

-- Plays main.lua, which is a prepared block or has one; what it prints and warns of is what the block shows.
local function play_shown(block, main, shown, warned, steps)
  local where <const>, said <const>, warnings = block.page .. ":" .. block.line, {}, 0
  local args <const> = steps and "--seed 1" or "--seed 1 --frames 60"
  local got <const> = player.run({ main = main, args = args, err = false }, steps)
  for line in got.out:gmatch "[^\n]+" do
    local number <const>, text <const> = line:match "^@(%d+)\t?(.*)$"
    check(number, "%s: prints %s", where, line)
    local n <const>, blank <const> = math.tointeger(number), text:gsub("\t", " ")
    said[n] = said[n] and said[n] .. "; " .. blank or blank
  end
  for n, text in pairs(shown) do
    check(is_as_shown(said[n], text), "%s, line %d shows\n%s\nand it is\n%s\n%s", where, n, text, said[n], got.err)
  end
  for n, text in pairs(said) do check(shown[n], "%s, line %d prints %s, and shows nothing", where, n, text) end
  for text in got.err:gmatch "warning: ([^\n]*)" do
    warnings = warnings + 1
    local want <const> = warned[warnings]
    check(want and text:find(want, 1, true), "%s: warns %q, and shows %q", where, text, tostring(want))
  end
  check(warnings == #warned, "%s shows %d warnings, and there are %d", where, #warned, warnings)
end

-- A block is a file of the game, a whole main.lua, or the inside of one behind the first block of the page.
local function snippets(it)
  local head
  sh 'cp -R "$SP_ROOT/scripts/shooter/sounds" game'
  for block in it:each "lua" do
    local code <const>, shown <const>, warned <const> = prepare(block.code)
    local is_file <const>, is_whole <const> = save(block, ""), code:find "\nreturn [^\n]*\n$"
    local main <const> = is_whole and code
      or head and ("%s return { load = function() %s is_over = true end }"):format(head, code)
    if main and not is_file then play_shown(block, main, shown, warned) end
    head = head or block.code:gsub("\n", " ")
  end
end

-- }==

-- {== The cookbook =============================================================

-- Copies a file of the system, wherever it is, or says that it is absent. A library is the same for all versions of
-- Lua, and Debian has it in the folders of others only.
local COPY <const> = [[cp -L "$(find -L /usr/share/lua /usr/share/fonts /usr/local/share /opt/homebrew/share \
  /Library/Fonts "$HOME/Library/Fonts" "$HOME/.luarocks/share" -path '*/%s' 2>&- | head -n 1)" game/%s 2>&- ||
  echo absent]]

-- Saves the sheet that the cookbook shows, with a picture for it.
local function save_sheet(cookbook)
  player.paint("sprites/hero.png", 128, 32, 0x30d0a0, 0xd0a030)
  player.save("sprites/hero.json", cookbook:find("json", "{").code)
end

-- Each block is a whole main.lua. Games, which have titles, are played as claims.lua says.
local function recipes(it)
  local played <const> = {}
  save_sheet(it)
  sh('cp -R "$SP_ROOT/scripts/shooter/sounds" "$SP_ROOT/scripts/garden/fonts" game')
  sh(COPY:format("*Sans*.ttf", "fonts/title.ttf"))
  local lacks_library <const> = #sh(COPY:format("5.[1-4]/dkjson.lua", "")) > 0
  for block in it:each "lua" do
    local title <const> = block.code:match '[{ ]title = "([^"]*)"'
    local code <const>, shown <const>, warned <const> = prepare(block.code)
    local is_absent <const> = lacks_library and block.code:find 'require "dkjson"'
    for _, steps in ipairs(is_absent and {} or claims.recipes[title] or { false }) do
      play_shown(block, code, shown, warned, steps and function() claims.act(steps, player) end)
    end
    if is_absent then host.skip("docs", "dkjson is not installed") end
    if title then played[title] = true end
  end
  pages.expect_same_names(played, claims.recipes, "the recipes of claims.lua")
end

-- }==

-- {== Rows of another engine ===================================================

-- Uses the results of a row's example once more, hooks of the class too, then removes them. Callbacks are kept, and
-- called later.
local AFTER_ROW <const> = [[
  local again = pools:alloc('Bullet', 1)
  if again then again:recycle() end
  pools:recycle_all()
  for name, value in pairs(Bullet) do
    if type(value) == 'function' then Bullet[name] = nil end
  end
  draws[#draws + 1] = game.draw]]

-- Every row of a table that ends in code is an example; the first block of the page stands before each.
local function rows(it)
  local head <const>, code <const> = it:find("lua", "").code, {}
  save_sheet(pages.open "docs/cookbook.md")
  for row in it.text:gmatch "\n(|[^\n]*)" do
    local example <const> = row:match ".*|.-`([^`]+)` |$"
    if select(2, row:gsub("|", "")) == 4 and example then
      code[#code + 1] = ("do\n%s\n%s\n%s\nend\n"):format(head, example, AFTER_ROW)
    end
  end
  check(#code >= 45, "%s has %d examples", it.path, #code)
  player.run { args = "--frames 2", main = ([[local draws, game = {}, {}
    function game.load() %s end
    function game.draw(g) for _, draw in ipairs(draws) do draw(g) end end
    return game]]):format(table.concat(code)) }
end

-- Plays what is said of pools in LuaJIT, and compiles what LÖVE would run, with the Lua that LÖVE has.
local function luajit(it)
  local code <const> = {}
  for block in it:each "lua luajit" do code[#code + 1] = block.code end
  check(#code >= 3, "%d blocks", #code)
  player.save("jit.lua", table.concat(code))
  for block in it:each "lua love" do player.save(("love%d.lua"):format(block.line), block.code) end
  if host.tool == "asan" then return host.skip("docs", "luajit is not built with the sanitizers of the library") end
  if not player.can("command -v luajit", "no luajit here") then return end
  local stale <const> = "Bullet#1 (stale): the life that this reference names is over\n"
  player.run { out = "", err = { "spawnpool: jit.lua:", stale },
    sh = [[cd game && LUA_PATH="$SP_BUILD/lua/?.lua;;" luajit jit.lua &&
      for f in love*.lua; do luajit -b "$f" out || exit 1; done]] }
end

-- }==

-- Runs the files of a recipe for tests, with the few words of busted that they use, and with busted and luaunit where
-- they are.
local BUSTED <const> = [[local before
function before_each(fn) before = fn end
function describe(_, fn) fn() end
function it(name, fn) before() fn() print(name) end
package.path = "./?.lua;" .. package.path
dofile "spec/coin_spec.lua"
]]

local function specs(it)
  for block in it:each "lua spec" do check(save(block, "/"), "line %d is no file", block.line) end
  player.save("/busted.lua", BUSTED)
  local here <const> = 'export LUA_CPATH="$SP_BUILD/?.so;;"; '
  player.run { sh = here .. '"$(command -v lua5.4 || command -v lua)" busted.lua',
    out = "is gone after three seconds\nrefuses to be lost before it was paid\n" }
  local busted <const> = 'lua5.4 "$(command -v busted)" '
  if player.can(busted .. "--version", "no busted for Lua 5.4 here") then
    player.run { sh = here .. busted .. "--lpath='./?.lua' spec", out = { "2 successes / 0 failures / 0 errors" } }
  end
  if player.can("lua5.4 -l luaunit -e ''", "no luaunit for Lua 5.4 here") then
    player.run { sh = here .. "lua5.4 coin_test.lua", out = { "Ran 1 tests in ", "1 success, 0 failures" } }
  end
end

-- {== C =======================================================================

local LUA <const> = "$(command -v lua5.4 || command -v lua) "
local CORE_LIBS <const> = '"$SP_BUILD/libspawnpool.a" -lm'
local SCRIPT_LIBS <const> = '"$SP_BUILD/libspawnpool_script.a" "$SP_BUILD/libspawnpool.a" -lm -lpthread '
  .. "$(pkg-config --cflags --libs lua5.4 2>/dev/null || pkg-config --cflags --libs lua)"

local SESSION_LIBS <const> = '"$SP_BUILD/libspawnpool_session.a" '
  .. "$(pkg-config --cflags --libs libcjson minizip zlib) " .. SCRIPT_LIBS

-- Compiles a file of the folder into a program `page`.
local function compile(name, libraries, compiler)
  sh(([[unset IFS; %s -O0 -g -Wall -Wextra -Werror -Wno-unused-variable -I"$SP_BUILD/include" -o page %s %s]]):format(
    compiler or host.cc .. " -std=c11", name, libraries))
end

-- A whole program prints what its comments show behind its calls of a print.
local function run_program(block, compiler)
  local name <const>, shown <const> = compiler and "page.cpp" or "page.c", {}
  for text in block.code:gmatch 'printf?%([^\n]*%);%s*/%* ([^\n]*) %*/' do shown[#shown + 1] = text .. "\n" end
  for text in block.code:gmatch 'cout [^\n]*; // ([^\n]*)' do shown[#shown + 1] = text .. "\n" end
  check(#shown > 0, "%s:%d shows no output", block.page, block.line)
  player.save("/" .. name, block.code)
  compile(name, CORE_LIBS, compiler)
  player.run { sh = "./page", out = table.concat(shown) }
end

-- The first block is the head of one program, each other block the inside of a function of it, behind the functions
-- that it begins with, up to a blank line. `begin` and `finish` are what the page says stands around each example.
-- Errors of the compiler and of asserts name the line of the page.
local function run_examples(it, info, begin, finish, libraries)
  local program <const>, calls <const> = {}, {}
  for block in it:each(info) do
    if block.code:find "\nint main%(" then
      run_program(block)
    else
      local functions <const>, code <const> = block.code:match(block.code:find "^enum" and "^(.-\n\n)(.*)$"
        or "^(static .-\n\n)(.*)$")
      local opening <const> = ("%sstatic void example_%d(void) { %s { "):format(functions or "", block.line, begin)
      local text <const> = #program == 0 and block.code or opening .. (code or block.code) .. "} " .. finish .. " }\n"
      calls[#calls + 1] = #program > 0 and ("example_%d(); "):format(block.line) or nil
      program[#program + 1] = ('#line %d "%s"\n%s'):format(block.line, block.page, text)
    end
  end
  if #calls == 0 then return end
  for block in it:each "lua" do check(save(block, "/"), "line %d is no file", block.line) end
  player.save("/page.c", table.concat(program) .. ("int main(void) { %s }\n"):format(table.concat(calls)))
  compile("page.c", libraries)
  player.run { sh = "./page", out = false }
  check(#calls >= 3, "%s has %d examples", it.path, #calls)
end

local function core_examples(it)
  run_examples(it, "c", 'sp_manager *game = sp_manager_open(NULL, NULL); sp_pool *bullets = open_pool(game, "Bullet");'
    .. " assert(bullets);", "assert(sp_manager_close(game) == SP_OK);", CORE_LIBS)
  for block in it:each "cpp" do
    if not player.can(("echo | %s -fsyntax-only -x c++ -"):format(host.cxx), "no C++ compiler") then return end
    for _, standard in ipairs { "c++11", "c++20" } do
      run_program(block, ("%s -std=%s -pedantic -Wconversion -Wold-style-cast -Wzero-as-null-pointer-constant"):format(
        host.cxx, standard))
    end
  end
end

-- The program that the header begins with, for those who read nothing else.
local function header_program()
  local code <const> = pages.read "src/core/spawnpool.h":match "\n     (#include <spawnpool%.h>\n.-\n     }\n)%*/"
  player.save("/page.c", code)
  compile("page.c", CORE_LIBS .. " -pedantic -Wconversion")
  player.run { sh = "./page", out = "x = 250\n" }
  check(select(2, code:match "{\n(.*)}":gsub("\n", "")) <= 15, "it has more than 15 lines")
end

local function script_examples(it)
  run_examples(it, "c script", "sp_script *script = start_game(); sp_manager *pools = sp_script_pools(script); "
    .. "assert(pools);", "sp_script_close(script);", SCRIPT_LIBS)
end

local function session_examples(it)
  run_examples(it, "c session", "sp_session *session = start_session(); assert(session);",
    "sp_session_close(session);", SESSION_LIBS)
end

-- Runs the commands of a block in the folder, behind others; then runs what they have made.
local function build_as_said(it, begin, before, after)
  player.save("/commands", it:find("sh", begin).code)
  player.run { out = false, sh = ('set -e; unset IFS; cc() { command %s "$@" -O0; }\n'
    .. 'here=$PWD; cd "$SP_ROOT"; %s; cd "$here"\n. ./commands; %s'):format(host.cc, before, after) }
end

local function building(it)
  build_as_said(it, "cc -O2 hello.c ", ([[make -s BUILD=%s DESTDIR="$here/stage" install-files
    cp demo/embed/*.c "$here"; lib="$here/stage/usr/local/lib"
    sed -i.old "s,/usr/local,stage&," "$lib/pkgconfig/"*.pc
    export PKG_CONFIG_PATH="$lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}" LD_LIBRARY_PATH="$lib"]]):format(
    host.build), "export SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software\n"
    .. "./hello && ./rollback && ./renderer 2 && ! ./headless nowhere 2>/dev/null")
  build_as_said(it, "cc -O2 -Ibuild/include ", 'rm "$here/hello"; ln -s "$SP_ROOT/demo" "$SP_ROOT/src" "$here"\n'
    .. 'ln -s "$SP_BUILD" "$here/build"', "./hello && rm hello")
  build_as_said(it, "cc -O3 -ffp-contract=off -Isrc ", "true", "./hello")
end

-- The output that the page tells of counter.lua, with the edits of its text.
local COUNTER <const> = [[
local reload = require "spawnpool.reload"
reload.watch "game" package.path = "game/?.lua;" .. package.path
local counter = require "counter"
local function edit(from, to)
  assert(os.execute(("sed -i.old 's/%s/%s/' game/counter.lua"):format(from, to)) and reload.now().ok)
end
for _ = 1, 41 do counter.add "a" end
edit("step <const> = 1", "step <const> = 10") print(counter.add "b")
edit("count = 0", "count = 5") print(counter.add "c")
]]

local function hot_reload(it)
  local here <const> = 'export LUA_CPATH="$SP_BUILD/?.so"\n'
  for block in it:each "lua" do check(save(block, "/"), "line %d is no file", block.line) end
  player.save("/try.lua", COUNTER)
  player.run { sh = "mv counter.lua game; " .. here .. LUA .. "try.lua", out = "51\t42\n15\t43\n" }
  local out <const> = sh(here .. LUA .. [[-e "io.stdout:setvbuf 'line'" server.lua >said 2>&1 & p=$!
    await 'hello you, 3' && sed -i.old s/hello/welcome/ game/greeter.lua && await 'welcome you'; kill $p; cat said]])
  local last <const> = out:match "^.*hello you, (%d+)\n.*reloaded greeter%.lua in "
  check(last and tonumber(out:match "welcome you, (%d+)") == last + 1, "the count does not go on:\n%s", out)
end

-- }==

page("README.md", { "lua" }, snippets)
page("docs/lua.md", { "lua" }, snippets)
page("docs/lua.md", { "lua spec" }, specs)
page("docs/faq.md", { "lua" }, snippets)
page("docs/cookbook.md", { "lua", "json" }, recipes)
page("docs/coming-from.md", { "lua" }, rows)
page("docs/coming-from.md", { "lua luajit", "lua love" }, luajit)
page("docs/guide.md", { "lua", "diff", "diff wrong" }, (require "guide"))
page("docs/calls.md", {}, facts.names)
page("docs/player.md", { "json", "lua" }, facts.player)
test("the manual page", facts.manual)

page("README.md", { "c" }, core_examples, true)
page("docs/embedding.md", { "c", "cpp" }, core_examples, true)
page("docs/embedding.md", { "c script", "lua" }, script_examples, true)
page("docs/embedding.md", { "c session", "lua" }, session_examples, true)
page("docs/embedding.md", {}, building, true)
page("docs/hot-reload.md", { "lua" }, hot_reload, true)
page("docs/gallery.md", {}, facts.gallery, true)
test("contracts in the headers", dofile "tests/package/contracts.lua", true)
test("the program of spawnpool.h", header_program, true)

for name, fn in pairs(site(declared)) do test(name, fn) end

return function(compiling)
  for _, it in ipairs(tests) do
    if it.compiling == compiling then
      player.test(it.name, function()
        host.setenv("XDG_DATA_HOME", player.path "/stored")
        it.fn()
      end)
    end
  end
end

-- Runs the blocks of Lua of a page, each by what it is:
--
--   begins with "-- NAME.lua"  a file of the page's game: it is saved
--   ends with "return ..."     a whole main.lua: play.lua plays it
--   the first of a page        stands before each of the page's snippets
--   anything else              a snippet: it runs in a player of its own, and does what it shows:
--
--   print(drop.alive) --> false          prints this; a line that prints several times shows them parted by "; "
--   drop.coler = 1    --> error: TEXT    raises this, behind the place; " ..." at its end stands for the rest
--   pools:alloc "Drp" --> warning: TEXT  the library warns of this; it may say more
--
-- A print or a warning that is not shown is wrong. A tab of print is shown as a blank.
local host <const> = require "host"
local pages <const> = require "pages"

local check <const>, write <const> = pages.check, pages.write
local examples <const> = {}

-- {== The player ===============================================================

function examples.place(name) return host.folder .. "/" .. name end

local place <const> = examples.place

-- Runs the player without a window; what it printed on both streams. It must end with `status`, 0 by default.
function examples.play(arguments, status)
  local got <const>, out <const>, err <const> = host.run(("XDG_DATA_HOME='%s' %s/spawnpool --headless %s"):format(
    place "stored", host.build, arguments))
  check(got == (status or 0), "exit status %d: %s\n%s%s", got, arguments, out, err)
  return out, err
end

function examples.shell(command, ...)
  local status <const>, out <const>, err <const> = host.run(select("#", ...) > 0 and command:format(...) or command)
  check(status == 0, "%s\n%s%s", command, out, err)
  return out, err
end

function examples.equal(got, want, what)
  check(got == want, "%s:\n%s\nis not what is shown:\n%s", what, got, want)
end

-- The numbers of a pool in the last line of --stats.
function examples.pool_of(lines, type)
  local row <const> = lines:match '.*"pools":(.*)':match('{"type":"' .. type .. '",(.-)}')
  check(row, "no pool %s in %s", type, lines)
  local numbers <const> = {}
  for name, value in row:gmatch '"(%w+)":(%-?%d+)' do numbers[name] = tonumber(value) end
  return numbers
end

-- }==

-- {== What a block shows =======================================================

-- Stands before the block, on its first line: what a line prints or raises is printed behind its number. A snippet is
-- over with its last line.
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

-- Compares the output of a prepared block with what it shows.
local function compare(block, shown, warned, out, err)
  local where <const> = ("%s:%d"):format(block.page, block.line)
  local said <const> = {}
  for line in out:gmatch "[^\n]+" do
    local number <const>, text <const> = line:match "^@(%d+)\t?(.*)$"
    check(number, "%s: prints %s", where, line)
    local n <const>, blank <const> = math.tointeger(number), text:gsub("\t", " ")
    said[n] = said[n] and said[n] .. "; " .. blank or blank
  end
  for n, text in pairs(shown) do
    check(is_as_shown(said[n], text), "%s, line %d shows\n%s\nand it is\n%s\n%s", where, n, text, said[n], err)
  end
  for n, text in pairs(said) do check(shown[n], "%s, line %d prints %s, and shows nothing", where, n, text) end
  local count = 0
  for text in err:gmatch "warning: ([^\n]*)" do
    count = count + 1
    local want <const> = warned[count]
    check(want and text:find(want, 1, true), "%s: warns %q, and shows %q", where, text, tostring(want))
  end
  check(count == #warned, "%s shows %d warnings, and there are %d", where, #warned, count)
end

-- }==

-- {== Blocks ===================================================================

-- The library that a game requires: the file is the same for all versions of Lua, and Debian has it in the folders of
-- others only.
local COPY <const> = [[for place in /usr/local/share /usr/share /opt/homebrew/share "${HOME:-/}/.luarocks/share"; do
  for file in "$place"/lua/5.[1-4]/dkjson.lua; do if [ -e "$file" ]; then exec cp -L "$file" '%s'; fi; done
done
exit 1]]

-- Saves the sheet that a page shows, with a picture for it.
local function save_sheet(page)
  examples.shell("mkdir '%s'", place "sprites")
  host.paint(place "sprites/hero.png", 128, 32, 0xff30d0a0, 0xffd0a030)
  write(place "sprites/hero.json", page:find("json", "{").code)
end

-- Makes what games need: the library, the sounds of the shooter, a sheet of four frames. Returns whether the library is
-- here.
local function make_surroundings(page)
  examples.shell("cp -R scripts/shooter/sounds scripts/garden/fonts tests/docs/play.lua tests/docs/plans.lua '%s'",
    host.folder)
  examples.shell([[cp -L "$(find -L /usr/share/fonts /opt/homebrew/share/fonts /Library/Fonts "$HOME/Library/Fonts" \
    -name '*Sans*.ttf' 2>/dev/null | head -n 1)" '%s']], place "fonts/title.ttf")
  write(place "main.lua", "return require 'play'")
  if page.text:find '"frameTags"' then save_sheet(page) end
  return host.run(COPY:format(host.folder)) == 0
end

-- Plays a whole main.lua, once for each of its plans. Returns false when its library is not here.
local function play_game(block, has_library, plans)
  local title <const> = block.code:match '[{ ]title = "([^"]*)"'
  if not has_library and block.code:find 'require "dkjson"' then return false end
  local code <const>, shown <const>, warned <const> = prepare(block.code)
  write(place "recipe.lua", code)
  for part = 1, plans[title] and #plans[title] or 1 do
    write(place "part.lua", ("return %d"):format(part))
    local out <const>, err <const> = examples.play(("--seed 1 --frames %d '%s'"):format(plans[title] and 1600 or 60,
      host.folder))
    check(out:find "played\n$", "%s:%d: not played to its end:\n%s%s", block.page, block.line, out, err)
    compare(block, shown, warned, out:sub(1, -8), err)
  end
  return true, title
end

local function run_snippet(head, block)
  local code <const>, shown <const>, warned <const> = prepare(block.code)
  write(place "snippet.lua", ("%s return { load = function() %s is_over = true end }"):format(
    head:gsub("\n", " "), code))
  compare(block, shown, warned, examples.play(("--frames 1 '%s'"):format(place "snippet.lua")))
end

-- Saves a block that is a file. Returns its name, or nil for any other block.
function examples.save(block)
  local name <const> = block.code:match "^%-%- (%S+%.lua)\n"
  if name then
    examples.shell("mkdir -p '%s'", place(name:match "^(.*)/" or ""))
    write(place(name), block.code)
  end
  return name
end

-- Runs all blocks of Lua of a page. Each plan of the page's games is used.
function examples.run(page)
  local plans <const>, used <const>, absent <const> = dofile "tests/docs/plans.lua", {}, {}
  local head, has_library
  for block in page:each "lua" do
    if block.code:find "\nreturn [^\n]*\n$" and not block.code:find "^%-%- %S+%.lua\n" then
      if has_library == nil then has_library = make_surroundings(page) end
      local is_played <const>, title <const> = play_game(block, has_library, plans)
      if title then used[title] = true end
      if not is_played then absent[#absent + 1] = block.line end
    elseif not examples.save(block) then
      if head then run_snippet(head, block) end
      head = head or block.code
    end
  end
  if page.path:find "cookbook" then pages.expect_same_names(used, plans, "plans of the cookbook") end
  if #absent > 0 then host.skip("docs", page.path .. ": no library for lines " .. table.concat(absent, ", ")) end
end

-- }==

-- {== Rows =====================================================================

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
function examples.rows(page)
  local head <const>, code <const> = page:find("lua", "").code, {}
  save_sheet(pages.open "docs/cookbook.md")
  for row in page.text:gmatch "\n(|[^\n]*)" do
    local example <const> = row:match ".*|.-`([^`]+)` |$"
    if select(2, row:gsub("|", "")) == 4 and example then
      code[#code + 1] = ("do\n%s\n%s\n%s\nend\n"):format(head, example, AFTER_ROW)
    end
  end
  check(#code >= 45, "%s has %d examples", page.path, #code)
  write(place "main.lua", ([[local draws, game = {}, {}
    function game.load() %s end
    function game.draw(g) for _, draw in ipairs(draws) do draw(g) end end
    return game]]):format(table.concat(code)))
  local _, err <const> = examples.play("--frames 2 " .. host.folder)
  check(err == "", err)
end

-- Plays what is said of pools in LuaJIT, and compiles what LÖVE would run, with the Lua that LÖVE has.
function examples.luajit(page)
  local code <const> = {}
  for block in page:each "lua luajit" do code[#code + 1] = block.code end
  check(#code >= 3, "%d blocks", #code)
  write(place "jit.lua", table.concat(code))
  for block in page:each "lua love" do write(place(("love%d.lua"):format(block.line)), block.code) end
  if host.run "command -v luajit" ~= 0 then return host.skip("docs", page.path .. ": no luajit here") end
  local out <const>, problem <const> = examples.shell([[build=$(cd %s && pwd) && cd '%s' &&
    LUA_PATH="$build/lua/?.lua;;" luajit jit.lua && for f in love*.lua; do luajit -b "$f" out || exit 1; done]],
    host.build, host.folder)
  local said <const> = "Bullet#1 (stale): the life that this reference names is over\n"
  check(out == "" and problem:find(said, 1, true) and problem:find "^spawnpool: jit.lua:", problem)
end

-- }==

return examples

-- Pages whose blocks are small programs in Lua: each does what the page shows.
local docs <const> = require "docs"
local game <const> = require "game"
local host <const> = require "host"
local live <const> = require "live"
local pages <const> = require "pages"
local player <const> = require "player"
local annotations <const> = require "annotations"

local check <const>, write <const> = pages.check, pages.write
local samples <const> = {}

local PLAYER <const> = host.build .. "/spawnpool --headless "

-- Runs the player; what it printed on both streams. It must end well.
local function play(arguments, status)
  local got <const>, out <const>, err <const> = host.run(PLAYER .. arguments)
  check(got == (status or 0), "exit status %d: %s\n%s%s", got, arguments, out, err)
  return out, err
end
samples.play = play

local function equal(got, want, what) check(got == want, "%s:\n%s\nis not what is shown:\n%s", what, got, want) end
samples.equal = equal

local function place(name) return host.folder .. "/" .. name end
samples.place = place

-- {== Games of one file ========================================================

-- The numbers of a pool in the last line of --stats -.
local function pool_of(lines, type)
  local row <const> = lines:match '.*"pools":(.*)':match('{"type":"' .. type .. '",(.-)}')
  check(row, "no pool %s in %s", type, lines)
  local numbers <const> = {}
  for name, value in row:gmatch '"(%w+)":(%-?%d+)' do numbers[name] = tonumber(value) end
  return numbers
end
samples.pool_of = pool_of

function samples.readme(page)
  local block <const> = page:find("lua", "")
  check(#block <= 20, "the first program of the page has %d lines", #block)
  write(place "main.lua", block.code)
  local out <const>, err <const> = play("--frames 600 --stats - " .. host.folder)
  local sparks <const> = pool_of(out, "Spark")
  check(not err:gsub("warning: unknown type [^\n]*\n", ""):find "%S", err)
  check(sparks.allocs == 600 and sparks.live <= 180 and sparks.total <= 256, out)
  play("--check --trust tests/support/edit_film") -- the game of the moving picture
end

-- Copies the libraries of the page into the game. The files are the same for all versions of Lua, and Debian has some
-- of them in the folders of others only. It prints those that are not here.
local COPY <const> = [[cd '%s' && for name in pl moses.lua binaryheap.lua mediator.lua inspect.lua dkjson.lua \
    middleclass.lua classic.lua lume.lua bump.lua flux.lua; do
  for place in /usr/local/share /usr/share /opt/homebrew/share "${HOME:-/}/.luarocks/share"; do
    for version in 5.4 5.3 5.2 5.1; do
      from=$place/lua/$version/$name; [ -e $name ] || ! [ -e $from ] || cp -rL $from $name; done; done
  [ -e $name ] || ! [ -e "$LUA_LIBRARIES/$name" ] || cp -r "$LUA_LIBRARIES/$name" .
  [ -e $name ] || echo ${name%%.lua}; done]]

-- Each block is a main.lua, and prints what stands behind "-->"; what one line prints in turn is parted by "; ".
function samples.libraries(page)
  local played <const>, skipped <const> = {}, {}
  local _, missing <const> = host.run(COPY:format(host.folder))
  for block in page:each "lua" do
    local shown <const> = {}
    for text in block.code:gmatch "%-%-> ([^\n]*)" do
      shown[#shown + 1] = text:gsub("; ", "\n") .. "\n"
    end
    check(#shown > 0, "line %d shows nothing", block.line)
    local library <const> = block.code:match 'require%s*%(?"(%w+)' or "none"
    if ("\n" .. missing):find("\n" .. library .. "\n", 1, true) then
      skipped[#skipped + 1] = library
    else
      write(place "main.lua", block.code)
      local out <const>, err <const> = play("--frames 60 " .. host.folder)
      equal(out:gsub("\t", " ") .. err, table.concat(shown), "line " .. block.line)
      played[#played + 1] = library
    end
  end
  check(#played + #skipped >= 12, "the page has %d blocks", #played + #skipped)
  if #skipped > 0 then host.skip("docs", page.path .. ": not here: " .. table.concat(skipped, ", ")) end
end

-- The first block stands before all others, each of which prints what the block of text behind it shows.
function samples.faq(page)
  local MARK <const> = "=== line "
  local program <const>, shown <const>, head = {}, {}, nil
  for _, block in ipairs(page.blocks) do
    if block.info == "lua" then
      if head then
        program[#program + 1] = ("run(%d, [====[%s]====])\n"):format(block.line, block.code)
        shown[#shown + 1] = MARK .. block.line .. "\n"
      end
      head, block.used = head or block.code, true
    elseif block.info == "text" and #shown > 0 and shown[#shown]:find(MARK, 1, true) then
      shown[#shown + 1] = block.code
    end
  end
  equal(head, 'local spawnpool <const> = require "spawnpool"\nlocal pools <const> = spawnpool.new()\n', "the head")
  write(place "main.lua", ([[local function run(line, text)
    print("%s" .. line)
    assert(load("local spawnpool, pools = ... " .. text, "@main.lua"))(require "spawnpool", require("spawnpool").new())
  end
  return { load = function() %s end }]]):format(MARK, table.concat(program)))
  equal(play("--frames 1 " .. host.folder), table.concat(shown), "what the blocks print")
  local questions = 0
  for heading in page.text:gmatch "\n## ([^\n]*)" do
    questions = questions + 1
    check(page.text:find("\n- [" .. heading .. "](#", 1, true), "the list has no %s", heading)
  end
  check(questions >= 20 and #program == 4, "%d questions, %d blocks", questions, #program)
end

-- }==

-- {== The Lua reference ========================================================

-- The names in the tables behind `<!-- names: CLASS -->`, or the words in those behind `<!-- words: ALIAS -->`.
local function names_of(page, sort)
  local found <const>, into = {}, nil
  for line in page.text:gmatch "[^\n]*" do
    local kind <const>, name <const> = line:match "^<!%-%- (%a+): ([%w.]+) %-%->$"
    if kind == sort then
      into = found[name] or {}
      found[name] = into
    elseif line:sub(1, 1) ~= "|" then
      into = nil
    end
    for code in (into and line:match "^| (.-) |" or ""):gmatch "`([^`]*)`" do
      local word <const> = code:match(sort == "words" and '^"([%w_]+)"$' or "^([%a_][%w_]*)")
      if word then into[word] = true end
    end
  end
  return found
end

-- The page names all that the annotations do, and every reason; and no more.
local function expect_names(page)
  local found <const> = names_of(page, "names")
  local classes <const> = annotations.read()
  for class, names in pairs(classes) do
    if next(names) then pages.expect_same_names(found[class] or {}, names, class) end
  end
  for class in pairs(found) do check(classes[class], "a table of no class: %s", class) end
  local words <const> = names_of(page, "words")
  for _, alias in ipairs { "Overflow", "Refusal", "Failure", "Why" } do
    alias = "spawnpool." .. alias
    pages.expect_same_names(words[alias] or {}, annotations.words_of(alias), alias)
  end
end

-- See block.lua. The first block of a page stands before all others.
function samples.library(page)
  local wrong <const>, count, head = {}, 0, nil
  for block in page:each "lua" do
    local what <const> = head and docs.block(head, block.code)
    if what then wrong[#wrong + 1] = ("%s:%d:\n%s"):format(page.path, block.line, what) end
    head, count = head or block.code, count + 1
  end
  check(#wrong == 0, table.concat(wrong, "\n"))
  check(count >= 13, "the page has %d blocks", count)
  expect_names(page)
end

-- See player_block.lua. It prints what is wrong, and "warns: TEXT" for what must be on stderr.
function samples.player_blocks(page)
  local count = 0
  host.run(("cp tests/docs/block.lua '%s' && cp tests/docs/player_block.lua '%s/main.lua' && " ..
    "cp -R scripts/shooter/sounds '%s'"):format(host.folder, host.folder, host.folder))
  for block in page:each "lua game" do
    write(place "code.lua", "return [==[\n" .. block.code .. "]==]")
    local out <const>, err <const> = play("--frames 3 --seed 1 --trust " .. host.folder)
    check(out ~= "" or err == "", "%s:%d: %s", page.path, block.line, err)
    for line in out:gmatch "[^\n]+" do
      local warning <const> = line:match "^warns: (.*)"
      check(warning and err:find(warning, 1, true), "%s:%d: %s\n%s", page.path, block.line, line, err)
    end
    count = count + 1
  end
  check(count >= 4, "the page has %d blocks", count)
end

-- }==

-- {== The player ===============================================================

-- Each option as --help has it, and each key as F1 shows it, stands on the page in the page's own form. The number of
-- options.
local function expect_options_and_keys(text, option_form, key_form)
  local options = 0
  for name in play("--help"):gmatch "\n  %-%-(%S+)" do
    check(text:find(option_form:format(name), 1, true), "--%s is not on the page", name)
    options = options + 1
  end
  for _, key in ipairs(docs.keys()) do check(text:find(key_form:format(key), 1, true), "%s is not on the page", key) end
  check(options > 10 and #docs.keys() > 5, "--help shows %d options", options)
  return options
end

-- The block is a part of a game: around it is what the reader is told to have. And the page shows what --check says of
-- a brace too many, and of a slip in a name, in the game that init makes.
function samples.player(page)
  expect_options_and_keys(page.text, "`--%s", "| %s |")
  write(place "main.lua", ([[local input <const>, game <const> = require('spawnpool').input, {}
    local begun, fired = 0, 0
    local function begin() begun = begun + 1 end
    local function fire() fired = fired + 1 end
    %s
    function game.load() game.pad_pressed 'start' game.pad_pressed 'a' print(begun, fired) end
    return game]]):format(page:find("lua", "").code))
  local out <const>, err <const> = play("--frames 2 " .. host.folder)
  equal(out .. err, "1\t0\n", "the controller")
  local status <const>, _, said <const> = host.run(([[
    bin=$(cd %s && pwd) && cd '%s' && $bin/spawnpool init rain >made &&
    sed -i.old 's/^}$/}}/' rain/colors.lua && sed -i.old 's/prealloc/prealoc/' rain/pools/Spark.lua &&
    $bin/spawnpool --check rain]]):format(host.build, host.folder))
  equal(status .. "\n" .. said, "1\n" .. page:find("text", "rain/colors.lua:").code, "what --check says")
end

-- The game that init makes, with an edit of its main.lua, after a second.
local function play_new_game(edit)
  host.run(("%s/spawnpool init '%s' && sed -i.old '%s' '%s/main.lua'"):format(host.build, place "rain", edit,
    place "rain"))
  live.start(place "rain")
  live.frames(60)
  live.forget()
end

-- Checks an error that the page shows, with names as seen from where the player was started; the player adds a line.
function samples.player_error(page)
  local shown <const> = page:find("text", "rain/main.lua:59: ").code
  play_new_game "59s/throw_ball/throw_bal/"
  player.push "click:1,2"
  game.take()
  local text <const> = (live.said() .. "\n"):gsub(host.folder:gsub("%p", "%%%0") .. "/", "")
  check(#text > 150 and shown:sub(1, #text) == text, text)
end

-- Checks the console that the page shows, except numbers: typed text is behind a prompt, the rest is the answer.
function samples.player_console(page)
  local answers <const>, typed = {}, nil
  local function blur(text) return (text:gsub("%-?%d[%d.]*", "#")) end
  play_new_game ""
  for line in page:find("text", "> pools:").code:gmatch "[^\n]+" do
    local begun <const>, more <const> = line:match "^> (.*)", line:match "^>> (.*)"
    typed = begun or (more and typed .. "\n" .. more)
    if begun or more then game.eval(typed) else answers[#answers + 1] = line end
  end
  equal(blur(live.said()), blur(table.concat(answers, "\n")), "what the console answers")
  check(#answers >= 3, "%d answers", #answers)
end

-- The first columns of the tables name every field of --stats, in the order of their first appearance, and no other.
function samples.stats(page)
  local shown <const>, written <const>, seen <const> = {}, {}, {}
  write(place "main.lua", "return { load = function() require('spawnpool').pools:alloc 'Spark' end }")
  for name in play("--frames 10 --stats - " .. host.folder):gmatch '"([%w_]+)":' do
    if not seen[name] then written[#written + 1] = name end
    seen[name] = true
  end
  for name in page.prose:match("\n## Statistics\n(.-)\n## "):gmatch "\n| `([^`]+)`" do shown[#shown + 1] = name end
  equal(table.concat(written, " "), table.concat(shown, " "), "the fields")
end

function samples.manual()
  local text <const> = pages.read "docs/spawnpool.1"
  local _, count <const> = text:gsub("\n%.It Fl Fl ", "%0")
  check(expect_options_and_keys(text, "\n.It Fl Fl %s", "\n.It %s\n") == count, "the page has an option of its own")
  local status <const>, out <const>, err <const> = host.run [[
    if command -v mandoc >/dev/null; then mandoc -Tlint -Wwarning docs/spawnpool.1
    elif command -v groff >/dev/null; then groff -mandoc -ww -z docs/spawnpool.1; else exit 77; fi]]
  if status == 77 then return host.skip("docs", "neither mandoc nor groff: the manual page is not formatted") end
  check(status == 0 and out .. err == "", out .. err)
end

-- }==

-- {== Editors ==================================================================

local INSTALLED <const> = "/usr/local/share/lua/5.4/spawnpool"

local function shell(command, ...)
  local status <const>, out <const>, err <const> = host.run(command:format(...))
  check(status == 0, "%s\n%s%s", command, out, err)
  return out
end

-- The recording of the page is played, and its table has the kinds that the player knows.
function samples.replays(page)
  local file <const> = place "rain.input"
  shell("mkdir '%s'", place "rain")
  write(place "rain/main.lua", "return { load = function(args) print(args[1]) end, key_pressed = print }")
  write(file, page:find("json", "{").code)
  local out <const>, err <const> = play(("--replay '%s' '%s'"):format(file, place "rain"))
  equal(out, "hard\nleft\n", "what it plays")
  check(err:find("60 frames, 0 hashes, all as recorded", 1, true), err)
  local shown <const>, known <const> = {}, {}
  for kinds in page.text:match "| kind |.-\n\n":gmatch "\n| (`[^|]*) |" do
    for kind in kinds:gmatch "`([%l_]+)`" do shown[#shown + 1] = kind end
  end
  for kind in pages.read "demo/app/recording.c":gmatch '\n +{"([%l_]+)", RECORDING_' do known[#known + 1] = kind end
  table.sort(shown)
  table.sort(known)
  equal(table.concat(shown, " "), table.concat(known, " "), "the kinds of lines")
end

-- The settings of the page are those of a new game, but for the place of the annotations, which are the same ones.
local function expect_settings(code)
  local new <const> = place "new"
  shell("%s init '%s'", host.build .. "/spawnpool", new)
  local function without_library(text) return (text:gsub('\n *"[%w.]*library": %[.-%],?', "")) end
  equal(without_library(code), without_library(pages.read "demo/newgame/dot.luarc.json"), "the settings")
  local named <const> = {}
  for name in code:gmatch "/([%a.]+%.lua)\"" do named[#named + 1] = name .. "\n" end
  equal(table.concat(named), shell("ls '%s/.spawnpool'", new), "the annotations")
end

function samples.editors(page)
  expect_settings(page:find("json", "{").code)
  local class <const>, rc <const> = page:find("lua", "-- pools/Bullet.lua"), page:find("lua", "-- .luacheckrc")
  shell("cd '%s' && mkdir pools .spawnpool library", host.folder)
  write(place "pools/Bullet.lua", class.code)
  write(place "main.lua", [[local b = require('spawnpool').pools:alloc('Bullet', 1, 2, 3, 5)
    print(b.vx, b:split(), b.damage) return {}]])
  local out <const>, err <const> = play("--frames 1 " .. host.folder)
  equal(out .. err, "300.0\ttrue\t2\n", "the class of the page")
  if host.run "command -v luacheck" ~= 0 then return host.skip("docs", page.path .. ": no luacheck here") end
  write(place ".luacheckrc", (rc.code:gsub(INSTALLED, "library")))
  write(place "main.lua", 'score = 5\n\nlocal f = io.open "a"\nprint(os.execute, f)\n')
  local _, marks <const> = host.run(([[cp lua/spawnpool/luacheck.lua '%s/library' && cd '%s' && rm -r new pools &&
    luacheck . --no-color | grep '^ ' | sed 's/^ *//']]):format(host.folder, host.folder))
  equal(marks, page:find("text", "main.lua:3").code, "what luacheck marks")
end

-- }==

-- {== How it works =============================================================

-- Where the code has a number that no header shows: what a file says, and what the page then says.
local IN_CODE <const> = {
  { "src/script/**/*.c", "#define SETTLE 0.040\n", "still for 40 ms" },
  { "lua/spawnpool/*.lua", "FRAMES <const> = 120 ", "in 120 frames" },
  { "src/script/**/*.c", "sp_facts_few = 68;", "68 per poll" },
  { "src/script/**/*.c", "LOOKS_MOST = 1000,", "each poll compares 1000" },
  { "lua/spawnpool/*.lua", "NEAR_MOST <const> = 400 ", "the 400 tables and functions nearest" },
  { "lua/spawnpool/*.lua", "MADE_MOST <const> = 16384 ", "16 384 entries" },
  { "src/script/**/*.c", "#define TICKS_PER_BUDGET 16\n", "16 times per budget" },
  { "src/script/**/*.c", "#define COUNTED_INSTRUCTIONS 10000 ", "every 10 000 instructions" },
  { "src/script/*.h", "0: 2 s; negative: for ever", "may compute for 2 s" },
}

-- Its tables of rooms are kept by tests/support/rooms.lua.
function samples.howitworks(page)
  local text <const>, sources <const>, numbers <const> = (page.text:gsub("%s+", " ")), {}, docs.numbers()
  local function says(words, ...)
    words = words:format(...)
    check(text:find(words, 1, true), "the page does not say: %s", words)
  end
  local millions <const> = ("%d"):format(numbers.SP_MAX_SLOTS):gsub("(%d%d%d)$", " %1"):gsub("(%d%d%d) ", " %1 ")
  check(numbers.SP_MAX_SLOTS == 1 << 24, "slots do not have 24 bits")
  says("24 bits of slot are `SP_MAX_SLOTS`, %s objects in one manager", millions)
  says("chunks of %d (`SP_CHUNK_SLOTS`)", numbers.SP_CHUNK_SLOTS)
  says("`owners[slot / %d]`", numbers.SP_CHUNK_SLOTS)
  says("%d in all (a turn has %d ticks, %d s at 60 ticks a second)", numbers.SP_WHEEL_NEAR, numbers.SP_WHEEL_TURN,
    numbers.SP_WHEEL_TURN // 60)
  says("each of the %d turns after that", numbers.SP_WHEEL_LISTS - numbers.SP_WHEEL_NEAR)
  says("blocks of %d bytes with %d slot numbers each", numbers.wheel_block_size, numbers.SP_WHEEL_BLOCK)
  says("| `lives.terms` | %d bytes |", numbers.term_size)
  for _, row in ipairs(IN_CODE) do
    local files <const>, code <const>, words <const> = table.unpack(row)
    sources[files] = sources[files] or shell("cat %s", (files:gsub("%*%*", "*")))
    check(sources[files]:find(code, 1, true), "%s: no '%s' any more: does the page still hold?", files, code)
    says(words)
  end
end

-- }==

return samples

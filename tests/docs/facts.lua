-- What pages say of the library and the player is what these have: names, options, keys, messages.
local annotations <const> = require "annotations"
local examples <const> = require "examples"
local host <const> = require "host"
local pages <const> = require "pages"

local check <const>, read <const>, write <const> = pages.check, pages.read, pages.write
local place <const>, play <const>, shell <const>, equal <const> = examples.place, examples.play, examples.shell,
  examples.equal
local facts <const> = {}

-- {== Names ====================================================================

-- Adds the names in the tables behind `<!-- names: CLASS -->`, or the words in those behind `<!-- words: ALIAS -->`.
local function add_names(found, text, sort)
  local into
  for line in text:gmatch "[^\n]*" do
    local kind <const>, name <const> = line:match "^<!%-%- (%a+): ([%w.]+) %-%->$"
    if kind == sort then
      found[name] = found[name] or {}
      into = found[name]
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

-- The reference and the page of calls together name all that the annotations do, and every reason; and no more. The
-- parameters are kept by tests/lua/annotate.lua.
function facts.names(page)
  local text <const> = page.text .. "\n" .. read "docs/lua.md"
  local found <const>, classes <const> = add_names({}, text, "names"), annotations.read().names
  for class, names in pairs(classes) do
    if next(names) then pages.expect_same_names(found[class] or {}, names, class) end
  end
  for class in pairs(found) do check(classes[class], "a table of no class: %s", class) end
  local words <const> = add_names({}, text, "words")
  for _, alias in ipairs { "spawnpool.Overflow", "spawnpool.Refusal", "spawnpool.Failure", "spawnpool.Why" } do
    pages.expect_same_names(words[alias] or {}, annotations.read().words[alias] or {}, alias)
  end
  local manual <const>, keys = read "docs/spawnpool.1", 0
  for key in read("demo/input/input.c"):gmatch '\n +{SDLK_[%w_]+, KEY_[%u_]+, "([^"]+)"' do
    check(text:find(("\n| %s |"):format(key), 1, true), "%s is no key on the page", key)
    check(manual:find(("\n.It %s\n"):format(key), 1, true), "%s is no key in the manual page", key)
    keys = keys + 1
  end
  check(keys > 5, "the player has %d keys", keys)
end

-- }==

-- {== The player ===============================================================

-- The options that a text has by `pattern` are those of --help.
local function expect_options(text, pattern, what)
  local shown <const>, known <const> = {}, {}
  for name in play("--help"):gmatch "\n  %-%-([%l-]+)" do known[name] = true end
  for name in text:gmatch(pattern) do shown[name] = true end
  pages.expect_same_names(shown, known, what)
end

function facts.options(page) expect_options(page.text, "\n| `%-%-([%l-]+)", "options of the player") end

-- What --check says of a brace too many, and of a slip in a name, in the game that init makes; and what it says when a
-- call of a function that does not exist is clicked, and in the console.
function facts.messages(page)
  local game <const>, player <const> = require "game", require "player"
  local said = {}
  function game.heard(_, text) said[#said + 1] = text end
  local function begin(edit)
    shell("rm -rf '%s' && %s/spawnpool init '%s' >'%s' && sed -i.old '%s' '%s/main.lua'", place "rain", host.build,
      place "rain", place "made", edit, place "rain")
    check(game.open { path = place "rain", patience = 2, seed = 1 })
    for _ = 1, 60 do game.step() end
    said = {}
  end
  begin "59s/throw_ball/throw_bal/"
  player.push "click:1,2"
  game.take()
  local text <const> = (table.concat(said, "\n") .. "\n"):gsub(host.folder:gsub("%p", "%%%0") .. "/", "")
  local shown <const> = page:find("text", "rain/main.lua:59: ").code
  check(#text > 150 and shown:sub(1, #text) == text, text)

  begin ""
  local answers <const>, typed = {}, nil
  local function blur(answer) return (answer:gsub("%-?%d[%d.]*", "#")) end
  for line in page:find("text", "> pools:").code:gmatch "[^\n]+" do
    local begun <const>, more <const> = line:match "^> (.*)", line:match "^>> (.*)"
    typed = begun or (more and typed .. "\n" .. more)
    if begun or more then game.eval(typed) else answers[#answers + 1] = line end
  end
  equal(blur(table.concat(said, "\n")), blur(table.concat(answers, "\n")), "what the console answers")

  local status <const>, _, problems <const> = host.run(([[
    bin=$(cd %s && pwd) && cd '%s' && sed -i.old 's/^}$/}}/' rain/colors.lua &&
    sed -i.old 's/prealloc/prealoc/' rain/pools/Spark.lua && $bin/spawnpool --check rain]]):format(
    host.build, host.folder))
  equal(status .. "\n" .. problems, "1\n" .. page:find("text", "rain/colors.lua:").code, "what --check says")
end

-- The first column of the table, and then the list, name every field of --stats, in the order of their first
-- appearance, and no other.
function facts.statistics(page)
  local shown <const>, written <const>, seen <const> = {}, {}, {}
  write(place "main.lua", "return { load = function() require('spawnpool').pools:alloc 'Spark' end }")
  for name in play("--frames 10 --stats - " .. host.folder):gmatch '"([%w_]+)":' do
    if not seen[name] then written[#written + 1] = name end
    seen[name] = true
  end
  local line <const>, pool <const> = page.prose:match "\n## Statistics\n(.-)\n### A pool\n(.-)\n## "
  for name in line:gmatch "\n| `([^`]+)`" do shown[#shown + 1] = name end
  for name in pool:gmatch "`([^`]+)`" do shown[#shown + 1] = name end
  equal(table.concat(written, " "), table.concat(shown, " "), "the fields")
end

-- The recording of the page is played.
function facts.recording(page)
  shell("mkdir '%s'", place "rain")
  write(place "rain/main.lua", "return { load = function(args) print(args[1]) end, key_pressed = print }")
  write(place "rain.input", page:find("json", '{"format"').code)
  local out <const>, err <const> = play(("--replay '%s' '%s'"):format(place "rain.input", place "rain"))
  equal(out, "hard\nleft\n", "what it plays")
  check(err:find("60 frames, 0 hashes, all as recorded", 1, true), err)
end

-- The settings of the page are those of a new game, but for the place of the annotations; its class is played; and
-- luacheck says what the page shows.
function facts.editors(page)
  local function without_library(text) return (text:gsub('\n *"[%w.]*library": %[.-%],?', "")) end
  equal(without_library(page:find("json", "{\n").code), without_library(read "demo/newgame/dot.luarc.json"),
    "the settings")
  local rc <const> = page:find("lua", "-- .luacheckrc").code
  shell("cd '%s' && mkdir pools library", host.folder)
  write(place "pools/Bullet.lua", page:find("lua", "-- pools/Bullet.lua").code)
  write(place "main.lua", [[local b = require('spawnpool').pools:alloc('Bullet', 1, 2, 3, 5)
    print(b.vx, b:split(), b.damage) return {}]])
  local out <const>, err <const> = play("--frames 1 " .. host.folder)
  equal(out .. err, "300.0\ttrue\t2\n", "the class of the page")
  if host.run "command -v luacheck" ~= 0 then return host.skip("docs", page.path .. ": no luacheck here") end
  write(place ".luacheckrc", (rc:gsub("/usr/local/share/lua/5.4/spawnpool", "library")))
  write(place "main.lua", 'score = 5\n\nlocal f = io.open "a"\nprint(os.execute, f)\n')
  local _, marks <const> = host.run(([[cp lua/spawnpool/luacheck.lua '%s/library' && cd '%s' && rm -r pools &&
    luacheck . --no-color | grep '^ ' | sed 's/^ *//']]):format(host.folder, host.folder))
  equal(marks, page:find("text", "main.lua:3").code, "what luacheck marks")
end

-- The manual page has the options too, and is well formed.
function facts.manual()
  expect_options(read "docs/spawnpool.1", "\n%.It Fl Fl ([%l-]+)", "docs/spawnpool.1")
  local status <const>, out <const>, err <const> = host.run [[
    if command -v mandoc >/dev/null; then mandoc -Tlint -Wwarning docs/spawnpool.1
    elif command -v groff >/dev/null; then groff -mandoc -ww -z docs/spawnpool.1; else exit 77; fi]]
  if status == 77 then return host.skip("docs", "neither mandoc nor groff: the manual page is not formatted") end
  check(status == 0 and out .. err == "", out .. err)
end

-- }==

return facts

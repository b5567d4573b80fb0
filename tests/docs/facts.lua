-- What pages say of the library and the player is what these have: names, options, keys, messages.
local annotations <const> = require "annotations"
local claims <const> = require "claims"
local game <const> = require "game"
local golden <const> = require "golden"
local host <const> = require "host"
local pages <const> = require "pages"
local player <const> = require "player"

local check <const>, read <const>, save <const>, sh <const> = pages.check, pages.read, player.save, player.sh
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
  for name in sh("spawnpool --help"):gmatch "\n  %-%-([%l-]+)" do known[name] = true end
  for name in text:gmatch(pattern) do shown[name] = true end
  pages.expect_same_names(shown, known, what)
end

-- The manual page has the options too, and is well formed.
function facts.manual()
  expect_options(read "docs/spawnpool.1", "\n%.It Fl Fl ([%l-]+)", "docs/spawnpool.1")
  if not player.can("command -v mandoc || command -v groff", "neither mandoc nor groff here") then return end
  player.run { out = "", sh = [[cd "$SP_ROOT" && if command -v mandoc >/dev/null
    then mandoc -Tlint -Wwarning docs/spawnpool.1; else groff -mandoc -ww -z docs/spawnpool.1; fi]] }
end

-- Plays the game that init makes, with an edit, as fn() does. Returns what it says.
local function say(edit, fn)
  local said <const> = {}
  sh("rm -rf rain && spawnpool init rain >made && sed -i.old '" .. edit .. "' rain/main.lua")
  function game.heard(_, text) said[#said + 1] = text:gsub(player.path("/"):gsub("%p", "%%%0"), "") .. "\n" end
  check(game.open { path = player.path "/rain", patience = 2, seed = 1 })
  for _ = 1, 60 do game.step() end
  fn()
  return table.concat(said)
end

-- The page shows what is said of a function that does not exist, when a click calls it; what the console answers; and
-- what --check says of a brace too many, and of a slip in a name.
local function messages(page)
  local answers <const>, typed = {}, nil
  local function blur(answer) return (answer:gsub("%-?%d[%d.]*", "#")) end
  local clicked <const> = say("59s/throw_ball/throw_bal/", function()
    player.push "click:1,2"
    game.take()
  end)
  check(#clicked > 150 and page:find("text", "rain/main.lua:59: ").code:sub(1, #clicked) == clicked, clicked)
  local answered <const> = say("", function()
    for line in page:find("text", "> pools:").code:gmatch "[^\n]+" do
      local begun <const>, more <const> = line:match "^> (.*)", line:match "^>> (.*)"
      typed = begun or (more and typed .. "\n" .. more)
      if begun or more then game.eval(typed) else answers[#answers + 1] = line .. "\n" end
    end
  end)
  check(blur(answered) == blur(table.concat(answers)), "the console answers\n%s", answered)
  player.run { status = 1, out = false, err = page:find("text", "rain/colors.lua:").code, sh = [[
    sed -i.old 's/^}$/}}/' rain/colors.lua && sed -i.old 's/prealloc/prealoc/' rain/pools/Spark.lua &&
    spawnpool --check rain]] }
end

-- The first column of the table, and then the list, name every field of --stats, in the order of their first
-- appearance, and no other.
local function statistics(page)
  local shown <const>, written <const>, seen <const> = {}, {}, {}
  save("main.lua", "return { load = function() require('spawnpool').pools:alloc 'Spark' end }")
  for name in sh("spawnpool --headless --frames 10 --stats - game 2>&-"):gmatch '"([%w_]+)":' do
    if not seen[name] then written[#written + 1] = name end
    seen[name] = true
  end
  local line <const>, pool <const> = page.prose:match "\n## Statistics\n(.-)\n### A pool\n(.-)\n## "
  for name in line:gmatch "\n| `([^`]+)`" do shown[#shown + 1] = name end
  for name in pool:gmatch "`([^`]+)`" do shown[#shown + 1] = name end
  check(table.concat(written, " ") == table.concat(shown, " "), "the fields are %s", table.concat(written, " "))
end

-- The recording of the page is played.
local function recording(page)
  save("/rain.input", page:find("json", '{"format"').code)
  save("/rain/main.lua", "return { load = function(args) print(args[1]) end, key_pressed = print }")
  player.run { sh = "spawnpool --headless --replay rain.input rain", out = "hard\nleft\n",
    err = { "60 frames, 0 hashes, all as recorded" } }
end

-- The settings of the page are those of a new game, but for the place of the annotations; its class is played; and
-- luacheck says what the page shows.
local function editors(page)
  local function without_library(text) return (text:gsub('\n *"[%w.]*library": %[.-%],?', "")) end
  local settings <const> = page:find("json", "{\n").code
  check(without_library(settings) == without_library(read "demo/newgame/dot.luarc.json"), "others: %s", settings)
  save("pools/Bullet.lua", page:find("lua", "-- pools/Bullet.lua").code)
  save(".luacheckrc", (page:find("lua", "-- .luacheckrc").code:gsub("/usr/local/share/lua/5.4/spawnpool", "library")))
  player.run { out = "300.0\ttrue\t2\n", main = [[local b = require('spawnpool').pools:alloc('Bullet', 1, 2, 3, 5)
    print(b.vx, b:split(), b.damage) return {}]] }
  if not player.can("command -v luacheck", "no luacheck here") then return end
  save("main.lua", 'score = 5\n\nlocal f = io.open "a"\nprint(os.execute, f)\n')
  player.run { out = page:find("text", "main.lua:3").code, sh = [[cd game && rm -r pools && mkdir library &&
    cp "$SP_ROOT"/lua/spawnpool/luacheck.lua library && luacheck . --no-color | grep '^ ' | sed 's/^ *//']] }
end

function facts.player(page)
  expect_options(page.text, "\n| `%-%-([%l-]+)", "options of the player")
  messages(page)
  statistics(page)
  recording(page)
  editors(page)
end

-- }==

-- {== The gallery ==============================================================

local function expect_picture(name, how)
  if how.measures and not golden.renews then return end
  local shown <const>, half <const> = "docs/gallery-" .. name .. ".png", player.path "/half.png"
  sh(([[spawnpool --headless %s --screenshot whole.png "$SP_ROOT"/scripts/%s %s 2>&1]]):format(
    how[1], name, how[2] or ""))
  host.picture_shrink(player.path "/whole.png", golden.target(shown, half), 2)
  if not how.measures then golden.expect(shown, half, 0.01) end
end

-- Each game that comes with the player has its line and a picture, which looks as the game does today. `make golden`
-- makes the pictures anew: look at them before they are committed.
function facts.gallery(page)
  local played <const> = {}
  for name, line in sh("spawnpool games"):gmatch "([%w_]+)  +([^\n]+)\n" do
    local how <const> = check(claims.gallery[name], "tests/docs/claims.lua lacks %s", name)
    local section <const> = check(page.text:match("\n## " .. name .. "\n(.-)\n[#-]"), "no part about %s", name)
    check(section:find("](gallery-" .. name .. ".png)", 1, true), "%s has no picture", name)
    local said <const> = section:gsub("%s+", " ")
    check(said:find(line:gsub("%s+", " "):sub(2), 1, true), "%s is not: %s", name, line)
    expect_picture(name, how)
    played[name] = true
  end
  pages.expect_same_names(played, claims.gallery, "spawnpool games")
end

-- }==

return facts

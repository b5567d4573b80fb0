-- The files of a game: what is no plain file, and what lies outside of its folder. Each is one clear line, at the
-- start, in --check, and when a file turns into it while the game runs; nothing waits, and nothing outside is read.
local spec <const> = require "spec"
local games <const> = require "games"

-- {== Where links and names lead ==============================================

local LINKS <const> = {
  near = "lib/part.lua", around = "lib/deep/../part.lua", whole = "GAME/lib", ["lib/up"] = "..", far = "../outside",
  back = "../game/lib/part.lua", root = "/", out = "OUT/secret.lua", nowhere = "../nowhere", none = "none such",
  self = "self",
}

-- Each path, what is read there, and whether the folder holds it, or would if it were there.
local LEADS <const> = {
  { "game/../game/lib/part.lua", nil, false }, -- leaves it
  { "outside/secret.lua", nil, false },
  { "outside/../game/lib/part.lua", nil, false }, -- would tell whether there is such a folder
  { "game/lib/no.lua", nil, true },
  { "game/no/../../outside", nil, false },
  { "game/near", "own", true },
  { "game/around", "own", true },
  { "game/whole/part.lua", "own", true },
  { "game/lib/up/lib/up/lib/part.lua", "own", true },
  { "game/far/secret.lua", nil, false },
  { "game/out", nil, false },
  { "game/back", nil, false },
  { "game/root/etc/passwd", nil, false },
  { "game/nowhere", nil, false },
  { "game/none", nil, true },
  { "game/self", nil, true },
  { "game/gone.lua (deleted)", "own", true }, -- as the system calls a file that was removed
  { "game/gone.lua", nil, true },
}

local function make()
  local g <const> = games.make {
    ["game/main.lua"] = "", ["game/lib/part.lua"] = "own", ["game/lib/deep/part.lua"] = "own",
    ["outside/secret.lua"] = "secret", ["game/gone.lua (deleted)"] = "own",
  }
  return g, g:path "game"
end

spec.test("a link leads where it may", function()
  local g <const>, game <const> = make()
  for name, target in pairs(LINKS) do
    spec.link((target:gsub("%u+", { GAME = game, OUT = g:path "outside" })), g:path("game/" .. name))
  end
  for _, it in ipairs(LEADS) do
    spec.equal((games.read(game, g:path(it[1]))), it[2], it[1])
    spec.equal(games.holds(game, g:path(it[1])), it[3], it[1])
  end
end)

-- The folder by one name, the file by another: a game is often called ".".
spec.test("a folder may have several names", function()
  local g <const>, game <const> = make()
  local here <const> = io.popen "basename \"$PWD\"":read()
  local linked <const> = g:path "linked"
  spec.link("game", linked)
  local names <const> = {
    { ".", "tests/README.md" }, { ".", "./tests/README.md" }, { ".", "../" .. here .. "/tests/README.md" },
    { "tests", "tests//README.md" }, { linked, game .. "/lib/part.lua" }, { linked .. "/", linked .. "/lib/part.lua" },
    { game, linked .. "/lib/part.lua" }, { "/", "/etc/passwd" },
  }
  for _, it in ipairs(names) do
    local text <const>, problem <const> = games.read(it[1], it[2])
    spec.equal(text ~= nil, true, it[1] .. ", " .. it[2] .. ": " .. problem)
  end
  spec.contains(select(2, games.read("tests", "README.md")), "outside the game's folder")
end)

-- }==

-- {== What is no plain file ===================================================

-- How it is made, and what is told of it. `named`: when it is named on the command line, where a path may be anywhere;
-- `gone`: a folder counts as a file that is not there.
local KINDS <const> = {
  { "mkfifo '%s'", "it is a pipe, not a file; replace or remove it" },
  { "ln -s \"$(basename '%s')\" '%s'", "it is a link that leads to itself; fix or remove it" },
  { "ln -s nowhere '%s'", "it is a link to 'nowhere', which does not exist; fix or remove it" },
  { "truncate -s 100000000 '%s'", "it is larger than 64 MiB, so it is not read" }, -- the disk has nearly none of it
  { "ln -s /dev/zero '%s'", "outside the game's folder", named = "it is a device, not a file; replace or remove it" },
  { "ln -s 'OUT/secret.lua' '%s'", "outside the game's folder" },
  { "ln -s 'OUT/nothing.lua' '%s'", "outside the game's folder", named = "which does not exist; fix or remove it" },
  { "touch '%s' && chmod 0 '%s' && ! cat '%s'", "Permission denied" }, -- root may read everything
  { "mkdir '%s'", "it is a folder, not a file; replace or remove it", gone = "was deleted: its last code stays" },
}

local function put(g, kind, name)
  local path <const> = g:path("game/" .. name)
  spec.remove(path)
  return os.execute((kind[1]:gsub("OUT", (g:path "outside")):gsub("%%s", path)))
end

local MAIN <const> = [[
local n = 0
return { load = function() %s end, update = function() n = n + 1 print('on', n) end }]]

-- A game in a folder of the folder, beside a secret. It is not open.
local function make_game(load, options)
  options["game/main.lua"] = MAIN:format(load)
  options["game/lib/part.lua"] = "return 1"
  options["game/pools/Spark.lua"] = "return require('spawnpool').class('Spark', {})"
  options["outside/secret.lua"] = "error 'the secret was read'"
  local g <const> = games.make(options)
  return g, g:path "game"
end

local function start_game(load)
  local g <const>, game <const> = make_game(load, { reload = true })
  spec.equal({ g:open(game), g:begin() }, { nil, true })
  g:poll "look"
  g:told()
  return g
end

local function expect_told(told, ...)
  spec.contains(told, ...)
  spec.equal(told:find("the secret was read", 1, true), nil)
end

-- Returns what is told of a change: at once, or within some seconds.
local function told_of(g, how)
  local ends <const> = os.time() + 8
  g:poll(how)
  local told
  repeat
    g:poll "look"
    told = g:told()
  until told ~= "" or how == "now" or os.time() > ends
  return told
end

local function expect_on(g)
  spec.equal(g:update(), true)
  spec.contains(g:told(), "print: on\t")
end

-- What a game loads of each file.
local LOADS <const> = {
  ["lib/part.lua"] = "require 'lib.part'", ["pools/Spark.lua"] = "require('spawnpool').pools:pool 'Spark'",
  ["main.lua"] = "",
}

spec.test("main, what it requires and a class lie in files, at the start and while it runs", function()
  for i, kind in ipairs(KINDS) do
    for name, load in pairs(LOADS) do
      local g <const>, game <const> = make_game(load, { reload = i % 2 == 0 or nil })
      if put(g, kind, name) then
        local error <const> = g:open(game)
        spec.equal(error == nil and g:begin(), false)
        expect_told(error or g:told(), name, name == "main.lua" and kind.named or kind[2])
        local live <const> = start_game(load)
        put(live, kind, name)
        expect_told(told_of(live, i % 2 == 0 and "look" or "now"), name, kind.gone or kind[2])
        expect_on(live)
        spec.remove(live:path("game/" .. name))
        live:write("game/" .. name, "return {")
        expect_told(told_of(live, "now"), "not reloaded: ")
        expect_on(live)
      end
    end
  end
end)

spec.test("what nobody asked for is a problem of the check, and a warning while the game runs", function()
  local g <const>, game <const> = make_game("", {})
  for link, target in pairs { a = ".", b = ".", ["lib/root"] = "/", ["lib/up"] = ".." } do
    spec.link(target, g:path("game/" .. link))
  end
  put(g, KINDS[1], "lib/pipe.lua")
  put(g, KINDS[6], "lib/far.lua")
  g:open(game)
  local problems <const>, _, files <const> = g:check()
  table.sort(problems)
  spec.equal({ #problems, files }, { 2, 5 })
  expect_told(problems[1], "lib/far.lua", KINDS[6][2])
  expect_told(problems[2], "lib/pipe.lua", KINDS[1][2])

  local live <const> = start_game ""
  put(live, KINDS[1], "pipe.lua")
  spec.equal(told_of(live, "look"), "warning: GAME/game/pipe.lua: " .. KINDS[1][2] .. "\n")
  spec.link("../../outside/secret.lua", live:path "game/pools/Secret.lua")
  live:write("game/pools/Plain.lua", "print 'plain' return require('spawnpool').class 'Plain'")
  spec.equal(live:poll "now", "reloaded")
  expect_told(live:told(), "print: plain")
  spec.equal(live:last_error(), nil)
  expect_on(live)
end)

-- A path on the command line may be a link: the game is its target.
spec.test("a game may be named by a link, and have links inside", function()
  local g <const> = make_game("print(require 'lib.far', require 'own.part')", {})
  spec.link(g:path "game/lib/part.lua", g:path "game/lib/far.lua") -- links that stay in the folder are fine
  spec.link("lib", g:path "game/own")
  g:write("other/part.lua", "")
  for link, target in pairs { ["other/link.lua"] = "../game/main.lua", linked = "game" } do
    spec.link(target, g:path(link))
    spec.equal({ g:open(g:path(link)), g:begin() }, { nil, true })
    spec.contains(g:told(), "print: 1\t1\t")
  end
end)

spec.test("main may not lie outside unless the game is trusted", function()
  for _, trust in ipairs { false, true } do
    local g <const>, game <const> = make_game("", { trust = trust or nil })
    put(g, KINDS[6], "main.lua")
    g:open(game)
    spec.equal(g:begin(), false)
    spec.contains(g:told(), trust and "the secret was read" or "outside the game's folder")
  end
end)

-- }==

-- {== Bytes ===================================================================

-- What is told of a text; false: it is read as one that returns 5.
local TEXTS <const> = {
  { "\xEF\xBB\xBFreturn 5", false },
  { "-- one\r\nlocal x <const> = 5\r\nreturn x\r\n", false },
  { "local x <const> = 5\rreturn x\r", false },
  { "#!/usr/bin/env lua\nreturn 5", false },
  { "\xEF\xBB\xBF#!/usr/bin/env lua\r\nreturn 5", false },
  { "\xEF\xBB\xBF\xEF\xBB\xBFreturn 5", "lib/part.lua:1: unexpected symbol near '<\\239>'" },
  { "\x1bLuaT", "lib/part.lua: attempt to load a binary chunk" },
  { (" "):rep(5 << 20) .. "return 5", "a source file has up to 4 MiB; this one is larger, and is not compiled" },
  { "local x = 1\n\0return x",
    "lib/part.lua:2: unexpected symbol (there are zero bytes in the file: save it as plain text, in UTF-8)" },
}

spec.test("a file may begin and end as editors write it", function()
  local g <const> = start_game "part = function() return require 'lib.part' end print(part())"
  for _, it in ipairs(TEXTS) do
    local file <close> = io.open(g:path "game/lib/part.lua", "wb")
    file:write(it[1])
    file:close()
    local told <const> = told_of(g, "now")
    spec.contains(told, it[2] and "not reloaded: lib/part.lua" or "reload: reloaded lib/part.lua", it[2] or "")
    if not it[2] then
      spec.equal(g:eval "print(part())", "done")
      spec.contains(g:told(), "print: 5\n")
    end
    expect_on(g)
    spec.equal(g:save("game/lib/part.lua", "return 1"), "reloaded")
    g:told()
  end
end)

-- }==

-- One edit of the game of reload_game.lua, and what must hold afterwards whatever the edit was: the old version of the
-- file is in force or the new one, entirely; a text that cannot run is refused, and the message says where; no object,
-- id, count or value changed; and the good file, saved again, comes back into force. Any breach is an error.
local game <const> = require "reload_game"
local shape <const> = require "reload_shape"

local trial <const> = {}

local function nothing() return false end

local function expect(holds, format, ...)
  if not holds then error(format:format(...), 0) end
end

-- The shapes of the good files.
local function good_shapes()
  local shapes <const> = {}
  for file, text in pairs(game.FILES) do shapes[file] = assert(shape.expected(file, text)) end
  return shapes
end

-- Every file but `edited` has its good version in force, and so has that one when `new` is nil.
local function check_versions(t, edited, new)
  for file, good in pairs(t.shapes) do
    local now <const> = shape.in_force(file)
    if file == edited and new then
      expect(now == new, "%s: the new version is not entirely in force", file)
    else
      expect(now == good, "%s: the good version is not entirely in force", file)
    end
  end
end

-- What the pools do follows what the classes say.
local function check_pools(t)
  for _, type in ipairs(game.TYPES) do
    local pool <const>, class <const> = t.game.pools:pool(type), shape.value_of("pools/" .. type .. ".lua")
    for _, setting in ipairs { "limit", "idle_limit" } do
      local wanted <const> = class[setting] ~= math.huge and class[setting] or nil
      expect(pool[setting] == wanted, "%s.%s is %s, the class says %s", type, setting, pool[setting], wanted)
    end
    for o in pool:each() do
      for name, method in pairs(class.methods or {}) do
        expect(o[name] == method, "%s: method %s is not the one of the class", o, name)
      end
    end
  end
end

-- Whether a class has a function, also in its methods and fields.
local function holds(t, fn, depth)
  for key, value in pairs(t) do
    if value == fn or type(value) == "table" and key ~= "super" and depth > 0 and holds(value, fn, depth - 1) then
      return true
    end
  end
  return false
end

-- What runs is what the classes have, nothing older. True when at least one function ran.
local function check_called(called)
  for fn, type in pairs(called) do
    local class <const> = shape.value_of("pools/" .. type .. ".lua")
    local line <const> = debug.getinfo(fn, "S").linedefined
    expect(holds(class, fn, 2), "%s: line %d of another version was called", type, line)
  end
  return next(called) ~= nil
end

-- {== Refused and accepted ====================================================

-- The text of a refusal names a file of the game, and a line where plain Lua would.
local function check_message(t, message, why)
  expect(type(message) == "string", "refused without a message")
  local names_line, names_file = false, false
  for file in pairs(game.FILES) do
    local pattern <const> = file:gsub("%p", "%%%0")
    names_file = names_file or message:find(pattern) ~= nil
    names_line = names_line or message:find(pattern .. ":%d+") ~= nil
  end
  expect(names_file, "the message names no file: %s", message)
  expect(names_line or not (why and why:find "%.lua:%d+:"), "the message names no line: %s", message)
  if not names_line then t.without_line = t.without_line + 1 end
end

local function check_refused(t, before, message, why)
  t.refused = t.refused + 1
  game.same(before, t.game:snapshot(nothing))
  check_message(t, message, why)
  check_versions(t)
  t.game:play(t.steps)
end

local function check_accepted(t, file, text, before, skip)
  local new <const>, why <const> = shape.expected(file, text)
  t.accepted = t.accepted + 1
  game.same(before, t.game:snapshot(skip))
  expect(new or why == "declares no class of its name", "accepted, although: %s", why)
  check_versions(t, file, new)
  check_pools(t)
  t.game:endure(t.steps)
  local called <const> = t.game:called()
  if new and shape.in_force(file) ~= new then
    t.reverted = t.reverted + 1
    check_versions(t)
  else
    check_called(called)
  end
end

-- }==

-- Saves the good text again. A reload that sees no difference from what is in force may say so by nil.
local function restore(t, file, skip)
  while t.game.reload.poll() do end -- what was taken back in the last calls is told first: one poll tells one thing
  local before <const> = t.game:snapshot(skip)
  t.game:save(file, game.FILES[file])
  local result <const> = t.game.reload.now()
  expect(not result or result.ok, "the good file is refused: %s", result and result.error)
  game.same(before, t.game:snapshot(skip))
  check_versions(t)
  check_pools(t)
  t.game:play(t.steps)
  expect(check_called(t.game:called()), "no function of the game was called")
  t.game:check()
end

local function try(t, file, text)
  local skip <const> = shape.changed_fields(file, game.FILES[file], text)
  local whole <const>, partial <const> = t.game:snapshot(nothing), t.game:snapshot(skip)
  t.game:save(file, text)
  local result <const> = t.game.reload.now()
  expect(result, "the edit was not seen")
  if result.ok then
    check_accepted(t, file, text, partial, skip)
  else
    check_refused(t, whole, result.error, select(2, shape.expected(file, text)))
  end
  t.game:check()
  restore(t, file, skip)
end

-- Tries one text in the place of a file; `words` say what was done to it. One that changes its class as it runs has no
-- version to compare with, and is passed over.
function trial.try(t, file, text, words)
  if shape.changes_itself(file, text) then return end
  t.count = t.count + 1
  local ok <const>, message <const> = pcall(try, t, file, text)
  if not ok then
    error(("edit %d, %s, %s: %s\nthe game is in %s, the file was:\n%s"):format(t.count, file, words, message,
      t.game.folder, text), 0)
  end
end

-- A series of edits of one game. `steps`: frames of load after every reload.
function trial.open(reload, seed, steps)
  return {
    game = game.open(reload, seed), shapes = good_shapes(), steps = steps,
    count = 0, refused = 0, accepted = 0, reverted = 0, without_line = 0,
  }
end

function trial.report(t)
  return ("%d edits: %d refused (%d without a line), %d accepted, of which %d taken back"):format(t.count, t.refused,
    t.without_line, t.accepted, t.reverted)
end

return trial

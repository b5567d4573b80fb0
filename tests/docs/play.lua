-- Plays a game of a page, the module `recipe`, as a player would: a main.lua around it, which runs its plan in a
-- coroutine, one frame of the game for each `frames(1)`. A plan is one of plans.lua, by the title of the game; without
-- one each of its callbacks gets a little input. The last line that it prints is "played".
local spawnpool <const> = require "spawnpool"

local held <const>, mouse <const>, fresh, written = {}, { x = 0, y = 0 }, {}, {}
local recipe <const> = require "recipe"
local plans <const> = require("plans")[recipe.title]

local function call(name, ...)
  if recipe[name] then return recipe[name](...) end
end

-- Input is what the plan says.
if plans then
  local function has_any(keys, set)
    for _, key in ipairs(keys) do
      if set[key] then return true end
    end
    return false
  end
  local function keys_of(name) return recipe.actions and recipe.actions[name] or { name } end

  local input <const> = spawnpool.input
  function input.down(...) return has_any({ ... }, held) end
  function input.value(...)
    for _, name in ipairs { ... } do
      if has_any(keys_of(name), held) then return 1 end
    end
    return 0
  end
  function input.pressed(name) return has_any(keys_of(name), fresh) end
  function input.mouse() return mouse.x, mouse.y, false, false, false end
end

-- {== What a plan can do =======================================================

local t <const> = { view = spawnpool.view }

function t.frames(count)
  for _ = 1, count do
    coroutine.yield()
    fresh = {}
  end
end

-- With `count`, plays so many frames after it.
function t.hold(key, count)
  held[key], fresh[key] = true, true
  call("key_pressed", key)
  t.frames(count or 0)
end

function t.let_go(key, count)
  held[key] = nil
  call("key_released", key)
  t.frames(count or 0)
end

function t.press(key, count)
  t.hold(key)
  t.let_go(key, count)
end

function t.point(x, y)
  local dx <const>, dy <const> = x - mouse.x, y - mouse.y
  mouse.x, mouse.y = x, y
  call("mouse_moved", x, y, dx, dy)
end

function t.click(x, y)
  t.point(x, y)
  call("mouse_pressed", x, y, 1)
  call("mouse_released", x, y, 1)
end

function t.live(type) return spawnpool.pools:pool(type).live end

function t.first(type)
  local each <const>, pool <const> = spawnpool.pools:each(type)
  return each(pool)
end

function t.expect(is_so, what) return is_so or error(("%s; shown: %s"):format(what, table.concat(written, ", ")), 2) end

-- One of the texts of this frame or the next two is this one.
function t.shows(text)
  for _ = 1, 3 do
    for _, line in ipairs(written) do
      if line == text then return end
    end
    t.frames(1)
  end
  t.expect(false, "not shown: " .. text)
end

local function a_little_of_all()
  t.frames(1)
  t.press "space"
  t.click(100, 80)
  for _, name in ipairs { "pad_pressed", "pad_released" } do call(name, "a") end
  call("wheel", 0, 1)
  call("text_input", "a")
  t.frames(50)
  call "quit"
end

-- }==

-- {== The callbacks of the player ==============================================

-- `g`, but that texts are written down.
local function noting(g)
  return setmetatable({}, { __index = function(_, name)
    local value <const> = g[name]
    if type(value) ~= "function" then return value end
    return function(_, ...)
      if name == "text" then written[#written + 1] = tostring(select(3, ...)) end
      return value(g, ...)
    end
  end })
end

local game <const> = {}
for _, name in ipairs { "actions", "title", "width", "height" } do game[name] = recipe[name] end

local playing <const> = coroutine.create(function()
  (plans and plans[require "part"] or a_little_of_all)(t)
  print "played"
end)

function game.load(args) call("load", args) end

function game.update(dt)
  call("update", dt)
  if coroutine.status(playing) == "dead" then return end
  local ok <const>, message <const> = coroutine.resume(playing)
  if not ok then error(message, 0) end
end

function game.draw_below(g) call("draw_below", g) end

function game.draw(g)
  written = {}
  call("draw", plans and noting(g) or g)
end

return game

-- }==

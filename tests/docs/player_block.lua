-- Plays a block of a page of docs/, a whole main.lua, for three frames of the player; in the first it presses and
-- releases a key, a button of the mouse and one of a controller. Then it prints what is wrong, and what it warns of.
local blocks <const> = require "block"
local code <const> = require "code"

local block <const>, why <const> = blocks.open("", code)
if not block then error(why) end

local game <const> = block.chunk()
local frames = 0

local function call(name, ...)
  if game[name] then return game[name](...) end
end

local function press()
  for _, name in ipairs { "key_pressed", "key_released" } do call(name, "space") end
  for _, name in ipairs { "mouse_pressed", "mouse_released" } do call(name, 100, 80, 1) end
  for _, name in ipairs { "pad_pressed", "pad_released" } do call(name, "a") end
  call("mouse_moved", 104, 80, 4, 0)
  call("wheel", 0, 1)
  call("text_input", "a")
end

local function finish()
  call "quit"
  local wrong <const> = block.check()
  if wrong then print(wrong) end
  for _, text in ipairs(block.warned) do print("warns: " .. text) end
end

return {
  load = function(args) call("load", args) end,
  update = function(dt)
    call("update", dt)
    frames = frames + 1
    if frames == 1 then press() end
  end,
  draw_below = function(g) call("draw_below", g) end,
  draw = function(g)
    call("draw", g)
    if frames == 3 then finish() end
  end,
}

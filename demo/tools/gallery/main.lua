-- The gallery, which `spawnpool` without arguments plays: a card for each bundled game, with a picture and a line of
-- text, in as many columns as fit into the window. One card is chosen, with keys, mouse or gamepad. It is a game like
-- any other, except that the player gives it `spawnpool.gallery`:
--
--   games()        -> a list of { name =, about = }
--   picture(name)  -> whether the sprite called `name` shows this game's thumbnail
--   play(name)     plays a game after this frame; when it has ended, the player calls `returned(problem)`
--   leave()        ends the gallery after this frame
local spawnpool <const> = require "spawnpool"

local gallery <const>, input <const> = spawnpool.gallery, spawnpool.input

local CARD_LEAST <const>, COLUMNS_MOST <const> = 250, 4 -- points: as many columns as this allows
local PICTURE_SHAPE <const> = 0.625                     -- height of a picture, for a width of 1
local TEXT_HIGH <const>, GAP <const> = 62, 14           -- below a picture; between cards
local STICK <const> = 0.6                               -- how far it moves to choose
local HOW <const> = "arrows or mouse: choose   Enter: play   Esc: quit"

local BACK <const>, GOLD <const>, SOFT <const> = 0x0f0f18, 0xfacd6e, 0xb2b8cc

local FIRST <const> = { "platformer", "garden", "survivors", "breakout", "shooter" } -- what to play first

local chosen, scrolled = 1, 0
local problem        -- of the last game
local stick_is_moved = false
local mouse_is_known = false
local at = { columns = 1, left = 0, top = 0, step_x = 0, step_y = 0, w = 0, h = 0 } -- the cards, as drawn last

-- {== Cards ======================================================================

-- Returns "Random spawn" for "random_spawn", and such a beginning for a sentence.
local function capitalise(text) return (text:gsub("_", " "):gsub("^%l", string.upper)) end

local function read_cards()
  local cards <const>, ranks <const> = gallery.games(), {}
  for i, card in ipairs(cards) do
    ranks[card.name] = #FIRST + i
    card.caption, card.about = capitalise(card.name), capitalise(card.about)
  end
  for i, name in ipairs(FIRST) do ranks[name] = i end
  table.sort(cards, function(a, b) return ranks[a.name] < ranks[b.name] end)
  return cards
end

local cards <const> = read_cards()

-- }==

-- {== Choosing ===================================================================

local function move(by)
  local to <const> = chosen + by
  if cards[to] then
    chosen = to
  elseif by > 0 and (chosen - 1) // at.columns < (#cards - 1) // at.columns then
    chosen = #cards -- the row below is shorter
  end
end

local function play()
  problem = nil
  gallery.play(cards[chosen].name)
end

local keys <const> = {
  left = function() move(-1) end,
  right = function() move(1) end,
  up = function() move(-at.columns) end,
  down = function() move(at.columns) end,
  home = function() chosen = 1 end,
  ["end"] = function() chosen = #cards end,
  ["return"] = play,
  ["keypad enter"] = play,
  space = play,
}

local buttons <const> = {
  dpleft = keys.left, dpright = keys.right, dpup = keys.up, dpdown = keys.down,
  a = play, start = play, b = gallery.leave,
}

local function call(action) if action then action() end end

-- Returns the card at a position, or nil.
local function card_at(x, y)
  local column <const>, row <const> = (x - at.left) // at.step_x, (y - at.top) // at.step_y
  local in_gap <const> = (x - at.left) % at.step_x > at.w or (y - at.top) % at.step_y > at.h
  local card <const> = row * at.columns + column + 1
  if column >= 0 and column < at.columns and cards[card] and not in_gap then return card end
end

-- Moves the choice by one card each time the stick leaves the middle.
local function read_stick()
  local x <const>, y <const> = input.axis "leftx", input.axis "lefty"
  local across <const> = math.abs(x) >= math.abs(y)
  local way <const> = across and x or y
  if math.abs(way) > STICK and not stick_is_moved then
    move((across and 1 or at.columns) * (way > 0 and 1 or -1))
  end
  stick_is_moved = math.abs(way) > STICK
end

-- A window that appears, moves or is resized does so beneath a mouse that may rest: it chooses nothing until it moves.
local function forget_mouse() mouse_is_known = false end

local function move_mouse(x, y)
  if mouse_is_known then chosen = card_at(x, y) or chosen end
  mouse_is_known = true
end

local function press_mouse(x, y, button)
  local card <const> = button == 1 and card_at(x, y)
  if not card then return end
  chosen = card
  play()
end

-- }==

-- {== Drawing ====================================================================

local function paint(g, color) g:color((color >> 16) / 255, (color >> 8 & 255) / 255, (color & 255) / 255) end

-- Chooses as many columns as fit into the width, and more when a row of such wide cards would not fit into the height.
local function lay_out_columns(g, u, room)
  local gap <const> = GAP * u
  local columns = math.max(1, math.min((g.width - gap) // (CARD_LEAST * u + gap), COLUMNS_MOST))
  while true do
    at.w = (g.width - gap * (columns + 1)) / columns
    at.h = at.w * PICTURE_SHAPE + TEXT_HIGH * u
    if at.h <= room or columns == COLUMNS_MOST then break end
    columns = columns + 1
  end
  at.columns = math.tointeger(columns)
  at.left, at.step_x, at.step_y = gap, at.w + gap, at.h + gap
end

-- Scrolls no farther than the chosen card needs, so that a card that the mouse chooses stays under the mouse.
local function lay_out(g, u, head)
  local room <const> = g.height - 2 * head
  lay_out_columns(g, u, room)
  local rows <const> = (#cards - 1) // at.columns + 1
  local high <const>, row_top <const> = rows * at.step_y - GAP * u, (chosen - 1) // at.columns * at.step_y
  if high <= room then
    scrolled = (high - room) / 2
  else
    scrolled = math.min(math.max(scrolled, row_top + at.h - room), row_top)
    scrolled = math.max(0, math.min(scrolled, high - room))
  end
  at.top = head - scrolled
end

-- Writes a text in at most two rows of this width; a longer one is cut between words and ends in dots.
local function write_about(g, x, y, width, size, text)
  local row, is_last = "", false
  for word in text:gmatch "%S+" do
    local longer <const> = row == "" and word or row .. " " .. word
    if row == "" or g:measure(longer .. (is_last and ".." or ""), size) <= width then
      row = longer
    elseif is_last then
      row = row .. ".."
      break
    else
      g:text(x, y, row, size)
      y = y + select(2, g:measure(row, size))
      row, is_last = word, true
    end
  end
  g:text(x, y, row, size)
end

local function draw_picture(g, card, x, y, high, light)
  if gallery.picture(card.name) then
    g:color(light, light, light)
    g:sprite(card.name, x + at.w / 2, y + high / 2, 0, at.w / 16) -- a sprite of scale 1 is 16 wide
  else
    paint(g, 0x2c2e42)
    g:rect(x, y, at.w, high)
  end
end

local function draw_card(g, card, is_chosen, x, y, u)
  local high <const>, border <const> = at.w * PICTURE_SHAPE, is_chosen and 3 * u or 1
  paint(g, is_chosen and GOLD or 0x464a60)
  g:rect(x - border, y - border, at.w + 2 * border, at.h + 2 * border)
  paint(g, is_chosen and 0x262638 or 0x1a1b28)
  g:rect(x, y, at.w, at.h)
  draw_picture(g, card, x, y, high, is_chosen and 1 or 0.8)
  paint(g, 0xf5f5fa)
  g:text(x + 9 * u, y + high + 5 * u, card.caption, 16 * u)
  paint(g, SOFT)
  write_about(g, x + 9 * u, y + high + 26 * u, at.w - 18 * u, 12 * u, card.about)
end

-- Covers cards that reach into the head and foot with the background colour.
local function draw_edges(g, u, head)
  paint(g, BACK)
  g:rect(0, 0, g.width, head - 6 * u)
  g:rect(0, g.height - head + 6 * u, g.width, head)
  paint(g, GOLD)
  g:text(GAP * u, head / 2 - 16 * u, "spawnpool", 19 * u)
  paint(g, problem and 0xfad264 or SOFT)
  g:text(g.width / 2, g.height - head / 2 - 5 * u, problem or HOW, 13 * u, "center")
end

local function draw(g)
  local u <const> = math.max(0.85, math.min(g.width / 900, 2)) -- the scale of the text
  local head <const> = 40 * u
  lay_out(g, u, head)
  paint(g, BACK)
  g:rect(0, 0, g.width, g.height)
  for i, card in ipairs(cards) do
    local x <const> = at.left + (i - 1) % at.columns * at.step_x
    local y <const> = at.top + (i - 1) // at.columns * at.step_y
    if y < g.height and y + at.h > 0 then draw_card(g, card, i == chosen, x, y, u) end
  end
  draw_edges(g, u, head)
end

-- }==

return {
  title = "spawnpool",
  width = 960,
  height = 700,
  scale = "none",
  draw = draw,
  update = read_stick,
  key_pressed = function(key) call(keys[key]) end,
  pad_pressed = function(button) call(buttons[button]) end,
  wheel = function(_, dy) if dy ~= 0 then move(dy > 0 and -at.columns or at.columns) end end,
  mouse_moved = move_mouse,
  mouse_pressed = press_mouse,
  resized = forget_mouse,
  focus = forget_mouse,
  returned = function(why)
    problem = why
    forget_mouse()
  end,
}

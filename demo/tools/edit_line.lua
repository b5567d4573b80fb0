-- A line of text that is edited as in a shell: a cursor, and keys that move it, and cut characters and words. A line
-- may begin selected, as a field that was just clicked: typing then replaces all of it, and cutting removes all of it.
local MOST <const> = 2047 -- bytes

local edit_line <const> = {}
edit_line.__index = edit_line

-- Returns an empty line.
function edit_line.new() return setmetatable({ text = "", cursor = 0, selected = false }, edit_line) end

-- Returns the longest beginning of a text with so many bytes that splits no character.
local function fit(text, most)
  if #text <= most then return text end
  while most > 0 and (text:byte(most + 1) or 0) & 0xc0 == 0x80 do most = most - 1 end
  return text:sub(1, most)
end

-- Replaces the line and puts the cursor at its end; `selected`: all of it is selected.
function edit_line:set(text, selected)
  self.text = fit(text, MOST)
  self.cursor, self.selected = #self.text, selected or false
end

-- Replaces the bytes behind `from` up to `to`, and puts the cursor behind the new text; nothing when it does not fit.
function edit_line:replace(from, to, text)
  if #self.text - (to - from) + #text > MOST then return end
  self.text = self.text:sub(1, from) .. text .. self.text:sub(to + 1)
  self.cursor = from + #text
end

-- Inserts a text at the cursor, or replaces the selection.
function edit_line:insert(text)
  if self.selected then self:set "" end
  self:replace(self.cursor, self.cursor, text)
end

-- {== Positions ================================================================

local function is_word(text, at)
  local byte <const> = text:byte(at)
  return byte and (byte >= 0x80 or text:find("^[%w_]", at) ~= nil)
end

local function continues(text, at)
  local byte <const> = text:byte(at)
  return byte and byte & 0xc0 == 0x80
end

local function character_before(text, at)
  repeat at = at - 1 until at <= 0 or not continues(text, at + 1)
  return math.max(at, 0)
end

local function character_after(text, at)
  if at < #text then at = at + 1 end
  while continues(text, at + 1) do at = at + 1 end
  return at
end

local function word_before(text, at)
  while at > 0 and not is_word(text, at) do at = at - 1 end
  while at > 0 and is_word(text, at) do at = at - 1 end
  return at
end

local function word_after(text, at)
  while at < #text and not is_word(text, at + 1) do at = at + 1 end
  while is_word(text, at + 1) do at = at + 1 end
  return at
end

local function first() return 0 end
local function last(text) return #text end

-- Returns the byte to draw the line from, in a row with room for so many letters before the cursor.
function edit_line:first_shown(room)
  local at = self.cursor
  while at > 0 and room > 0 do
    at = character_before(self.text, at)
    room = room - 1
  end
  return at
end

-- }==

-- {== Keys =====================================================================

local MOVES <const> = { left = character_before, right = character_after, home = first, ["end"] = last }
local CUTS <const> = { backspace = character_before, delete = character_after }
local CONTROL_MOVES <const> = { left = word_before, right = word_after, home = first, ["end"] = last, a = first,
  e = last }
local CONTROL_CUTS <const> = { backspace = word_before, delete = word_after, w = word_before, u = first, k = last }

-- Applies a key, with or without Ctrl. Returns whether it has a meaning here.
function edit_line:key(name, ctrl)
  local move <const>, cut <const> = (ctrl and CONTROL_MOVES or MOVES)[name], (ctrl and CONTROL_CUTS or CUTS)[name]
  if not move and not cut then return false end
  if cut and self.selected then
    self:set ""
  elseif cut then
    local to <const> = cut(self.text, self.cursor)
    self:replace(math.min(to, self.cursor), math.max(to, self.cursor), "")
  else
    self.cursor = self.selected and move == character_before and 0 or move(self.text, self.cursor)
  end
  self.selected = false
  return true
end

-- }==

return edit_line

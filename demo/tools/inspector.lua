-- The inspector: a panel at the right with the pools, the slots of the chosen one, and one object with its fields,
-- which can be edited, or, while none is selected, the lines that allocated live objects. The layout is computed while
-- drawing; clicks refer to what was drawn last. Values of an object are read ten times a second, so that changing
-- numbers can be read.
local edit_line <const> = require "edit_line"
local panel <const> = require "panel"
local timeline <const> = require "timeline"
local why <const> = require "why"
local spawnpool <const> = require "spawnpool"
local player <const>, inspect <const> = spawnpool.player, spawnpool.inspect

local inspector <const> = { shown = false }

local MARGIN <const> = panel.MARGIN
local WIDTH <const>, NARROW <const> = 316, 200 -- narrow: in windows that are less than twice as wide as WIDTH
local POOLS_SHARE <const>, MAP_SHARE <const> = 0.22, 0.24 -- of the window's height, at most
local LOW <const> = 420 -- height of a window in which an object's fields need more room
local READ_EVERY <const> = 0.1 -- seconds
local ORIGINS_TIME <const> = 0.0002 -- seconds a frame
local WHEEL_ROWS <const> = 3
local NAME_LETTERS <const>, PAIR_LETTERS <const> = 13, 8 -- of a field of the class; of a built-in one
local LABEL_LETTERS <const> = 20 -- of a type
local OUTLINE <const>, BLUE <const>, LIGHT <const> = { 255, 225, 90 }, { 140, 190, 255 }, { 255, 255, 255 }
local LOCKED <const> = "the timeline is open: press Enter to continue from here, then edit"

local chosen                       -- type of the chosen pool; nil: none yet
local first_pool, follows = 1, false -- the first row of the list; whether it scrolls to the chosen one
local map = { first = 0 }          -- the slots, as drawn last
local selected                     -- the object; it may be stale
local object = {}                  -- what was read of it
local editing                      -- the line of the field that is edited, and its name
local restored = 0                 -- how often the game had been put back to a moment
local message                      -- why a value was rejected
local origins = { list = {}, sites = {}, pool = 1, slot = 0 }
local spots, spot_count = {}, 0    -- what can be clicked
local x0, x1 = math.huge, math.huge -- edges of the panel, as drawn last
local at_left = false              -- it has moved there, because it hid the selected object
local mouse_x, mouse_y = 0, 0

-- {== Choosing ===================================================================

local function stop_editing() editing = nil end

local function choose(type) chosen, follows = type, true end

local function label_of(ref)
  local type <const>, number <const> = inspect.name(ref)
  return type and ("%s#%d"):format(type:sub(1, player.span(type, LABEL_LETTERS)), number)
end

local function select_object(ref)
  stop_editing()
  why.close()
  selected, message, object = nil, nil, { read_at = 0, fields = {}, first = 1, history = "" }
  local type <const> = ref and inspect.name(ref)
  if type then
    selected, object.label = ref, label_of(ref)
    choose(type)
  end
  inspect.select(selected)
end

-- Chooses the pool above or below the chosen one.
local function step_choice(by)
  local count <const> = player.pools()
  if count == 0 then return end
  local at <const> = chosen and inspect.find(chosen) or 1
  choose((player.pool((at - 1 + by) % count + 1)))
end

function inspector.toggle()
  stop_editing()
  inspector.shown = not inspector.shown
  inspect.show(inspector.shown)
  spot_count, x0, x1, at_left, map, object.read_at = 0, math.huge, math.huge, false, { first = 0 }, 0
end

-- Returns whether it was open.
function inspector.close()
  local was <const> = inspector.shown
  if was then inspector.toggle() end
  return was
end

-- }==

-- {== Reading ====================================================================

-- A reload may have changed the fields of the class.
local function find_edited()
  for i, field in ipairs(object.fields) do
    if editing and field.name == editing.name then return i end
  end
end

local function read_object(now, is_live)
  local has_ended <const> = object.was_live and not is_live
  object.read_at, object.was_live = now, is_live
  object.fields = inspect.fields(selected) or {}
  if has_ended or object.history == "" then object.history = inspect.history(selected) end
  if editing and not find_edited() then stop_editing() end
end

-- Lists what was read of all pools, the oldest objects first, and begins again.
local function list_origins()
  local list <const> = {}
  for _, site in pairs(origins.sites) do list[#list + 1] = site end
  table.sort(list, function(a, b)
    if a.age ~= b.age then return a.age > b.age end
    return a.type .. a.site < b.type .. b.site
  end)
  origins = { list = list, sites = {}, pool = 1, slot = 0 }
end

-- Reads the origins of the next objects of a pool.
local function read_slice()
  local type <const> = player.pool(origins.pool)
  local found <const>, next_slot <const> = inspect.sites(origins.pool, origins.slot)
  for i = 1, found and #found or 0, 3 do
    local key <const> = type .. "\n" .. found[i]
    local site <const> = origins.sites[key] or { type = type, site = found[i], age = -1, count = 0 }
    origins.sites[key] = site
    site.count = site.count + 1
    if found[i + 1] > site.age then site.age, site.object = found[i + 1], found[i + 2] end
  end
  origins.slot = next_slot or 0
  if not next_slot then origins.pool = origins.pool + 1 end
end

-- Reads the origins of some objects in each frame.
local function read_origins()
  local begin <const> = player.now()
  repeat
    if origins.pool > player.pools() then return list_origins() end
    read_slice()
  until player.now() > begin + ORIGINS_TIME
end

local function read()
  local now <const> = player.now()
  if player.restored() ~= restored then -- the game is in another moment
    restored, object.read_at = player.restored(), 0
    stop_editing()
  end
  chosen = chosen or player.pool(1)
  if not selected then
    if inspect.traces() then read_origins() end
    return
  end
  local is_live <const> = inspect.life(selected) ~= nil
  if now - object.read_at >= READ_EVERY or object.was_live ~= is_live then read_object(now, is_live) end
end

-- }==

-- {== Writing ====================================================================

local function is_locked()
  message = timeline.is_shown() and LOCKED or nil
  return message ~= nil
end

local function begin_edit(name)
  for _, field in ipairs(object.fields) do
    if field.name == name then
      if is_locked() then return end
      if not field.writable then
        message = name .. " cannot be written here"
        return
      end
      editing = { name = name, text = field.text, line = edit_line.new() }
      editing.line:set(field.text, true)
      inspect.type()
      return
    end
  end
end

-- Returns whether the value was accepted: else the line stays open for correction.
local function commit()
  if is_locked() then return false end
  local text <const> = editing.line.text
  message = text ~= editing.text and inspect.set(selected, editing.name, text) or nil
  if message then return false end
  stop_editing()
  object.read_at = 0
  return true
end

local function edit_next()
  local at <const> = find_edited()
  if not commit() or not at then return end
  for i = 1, #object.fields do
    local field <const> = object.fields[(at - 1 + i) % #object.fields + 1]
    if field.writable then return begin_edit(field.name) end
  end
end

local function edit_key(key, ctrl)
  if key == "return" or key == "keypad enter" then
    commit()
  elseif key == "tab" then
    edit_next()
  elseif key == "escape" then
    stop_editing()
    message = nil
  else
    editing.line:key(key, ctrl)
  end
end

-- }==

-- {== Events: each returns whether it was used ====================================

local function is_over(x, y, w, h) return mouse_x >= x and mouse_x < x + w and mouse_y >= y and mouse_y < y + h end

function inspector.is_editing() return editing ~= nil or why.is_shown() end

-- Returns the topmost spot under the mouse.
local function spot_here()
  for i = spot_count, 1, -1 do
    local spot <const> = spots[i]
    if is_over(spot.x, spot.y, spot.w, spot.h) then return spot end
  end
end

-- W over a field asks what wrote it; over the name of the object, who began and ended its life.
local function ask_why()
  local spot <const> = spot_here()
  if not spot or spot.kind ~= "field" and spot.kind ~= "life" then return false end
  local type <const>, number <const> = inspect.name(selected)
  why.ask(("%s#%d%s"):format(type, number, spot.kind == "field" and "." .. spot.value or ""))
  return true
end

function inspector.key_pressed(key, ctrl)
  if not inspector.shown then return false end
  if editing then
    edit_key(key, ctrl)
  elseif key == "pageup" or key == "pagedown" then
    step_choice(key == "pageup" and -1 or 1)
  else
    return why.key_pressed(key) or key == "w" and not ctrl and ask_why()
  end
  return true
end

function inspector.text_input(s)
  if editing then editing.line:insert(s) end
  return editing ~= nil
end

local function is_on_panel(x) return x >= x0 and x < x1 end

local function click_map(spot)
  local i <const> = inspect.find(chosen)
  local column <const>, row <const> = (mouse_x - spot.x) // map.cell, (mouse_y - spot.y) // map.cell
  local cell <const> = row * map.columns + column
  if i and column < map.columns and cell < map.count then
    select_object(inspect.slot(i, math.tointeger(map.first + cell)))
  end
end

function inspector.mouse_moved(x, y)
  mouse_x, mouse_y = x, y
  return false
end

-- A left click beside the panel selects in the world; other buttons are the game's there.
function inspector.mouse_pressed(x, y, button)
  if not inspector.shown then return false end
  mouse_x, mouse_y = x, y
  if not is_on_panel(x) then
    if button == 1 then select_object(inspect.at(x, y)) end
    return button == 1
  end
  local spot <const> = button == 1 and spot_here()
  if button == 1 then stop_editing() end
  if not spot then return true end
  if spot.kind == "pool" then choose(spot.value) end
  if spot.kind == "object" then select_object(spot.value) end
  if spot.kind == "field" then begin_edit(spot.value) end
  if spot.kind == "map" then click_map(spot) end
  return true
end

function inspector.wheel(dy)
  if not inspector.shown or not is_on_panel(mouse_x) then return false end
  local spot <const>, rows <const> = spot_here(), -dy * WHEEL_ROWS
  if spot and spot.kind == "pool" then
    first_pool = math.max(1, math.min(first_pool + rows, player.pools()))
  elseif spot and spot.kind == "map" then
    map.first = math.max(0, map.first + rows * 2 * map.columns)
  elseif selected then
    object.first = math.max(1, math.min(object.first + rows, #object.fields))
  end
  return true
end

-- }==

-- {== Drawing ====================================================================

local g                     -- the one of this frame
local x, y, w, bottom = 0, 0, 0, 0 -- where the next row is drawn, and where the panel ends

local function add_spot(kind, value, left, top, width, height)
  spot_count = spot_count + 1
  local spot <const> = spots[spot_count] or {}
  spots[spot_count] = spot
  spot.kind, spot.value, spot.x, spot.y, spot.w, spot.h = kind, value, left, top, width, height
end

-- Draws the background of a row: clickable rows are highlighted under the mouse.
local function draw_row_back(left, width, is_chosen)
  if is_chosen then
    panel.fill(g, left - 3, y, width + 6, panel.row, { 110, 160, 255 }, 70)
  elseif is_over(left, y, width, panel.row) then
    panel.fill(g, left - 3, y, width + 6, panel.row, LIGHT, 22)
  end
end

-- Draws a scroll bar: rows `first` to `last` of `count` are visible, from `top` to the current position.
local function draw_bar(top, first, last, count)
  if first <= 1 and last >= count then return end
  local unit <const> = (y - top) / math.max(count, 1)
  panel.fill(g, x + w + 5, top + unit * (first - 1), 2, unit * (last - first + 1), LIGHT, 70)
end

local function draw_rule()
  y = (y + 4) // 1
  panel.fill(g, x, y, w, 1, LIGHT, 34)
  y = y + 5
end

local function draw_line(color, s)
  panel.text_cut(g, x, y, w, color, s)
  y = y + panel.row
end

local function draw_wrapped(most, color, s)
  local fit <const> = (bottom - y) // panel.row
  y = panel.draw_rows(g, x, y, color, panel.rows(w, s, math.min(fit, most)))
end

local function draw_pool_row(i)
  local type <const>, live <const>, _, _, _, limit <const> = player.pool(i)
  draw_row_back(x, w, type == chosen)
  panel.text_cut(g, x, y, w - 15 * panel.letter, panel.WHITE, type)
  panel.text_right(g, x + w, y, limit and live >= limit and panel.YELLOW or panel.GREY,
    limit and ("%d of %d"):format(live, limit) or tostring(live))
  add_spot("pool", type, x - 3, y, w + 6, panel.row)
  y = y + panel.row
end

-- Returns whether the fields of an object need the room: then pools and slots get half of theirs.
local function is_low() return selected and g.height < LOW end

local function draw_pools()
  local share <const> = is_low() and POOLS_SHARE / 2 or POOLS_SHARE
  local count <const>, rows <const> = player.pools(), math.max(1, g.height * share // panel.row | 0)
  local at <const>, top <const> = follows and chosen and inspect.find(chosen), y
  if at then first_pool = math.max(at - rows + 1, math.min(first_pool, at)) end
  follows = false
  first_pool = math.max(1, math.min(first_pool, count - rows + 1))
  local last <const> = math.min(count, first_pool + rows - 1)
  for i = first_pool, last do draw_pool_row(i) end
  draw_bar(top, first_pool, last, count)
end

-- {== Slots ======================================================================

local KEYS <const> = {
  { name = "new", color = { inspect.color("live", 0) } },
  { name = "old", color = { inspect.color("live", 30) } },
  { name = "idle", color = { inspect.color("idle", 0) } },
  { name = "ending", color = { inspect.color("ending", 0) } },
  { name = "empty", color = { inspect.color("empty", 0) } },
}

-- Draws the colours of the slots and their names; a narrow panel has no room for all.
local function draw_keys()
  local side <const> = panel.row // 2
  local left = x
  for _, key in ipairs(KEYS) do
    local width <const> = side + 4 + panel.letter * #key.name
    if left + width > x + w + 1 then break end
    panel.fill(g, left, (y + panel.row * 0.2) // 1, side, side, key.color)
    panel.text(g, left + side + 4, y, panel.GREY, key.name)
    left = left + width + panel.letter
  end
  y = y + panel.row
end

-- Draws a frame around the cell of the selected object.
local function frame_selected(i)
  local slot <const> = selected and inspect.slot_of(i, selected)
  local cell <const> = slot and slot - map.first
  if not cell or cell < 0 or cell >= map.count then return end
  local side <const> = map.cell >= 4 and map.cell - 1 or map.cell
  panel.color(g, OUTLINE)
  g:rect(x + cell % map.columns * map.cell - 2, y + cell // map.columns * map.cell - 2, side + 4, side + 4, "line")
end

local function draw_map(i)
  local slots <const> = inspect.slots(i)
  if map.type ~= chosen then map.type, map.first = chosen, 0 end
  map.cell, map.columns, map.count, map.first = inspect.map(i, map.first, slots, x, y, w,
    g.height * (is_low() and MAP_SHARE / 2 or MAP_SHARE) // 1)
  if not map.count or map.count == 0 then
    map.first = map.first or 0
    return
  end
  local height <const> = ((map.count - 1) // map.columns + 1) * map.cell
  add_spot("map", nil, x, y, w, height)
  frame_selected(i)
  y = y + height
  if map.count < slots then
    y = y + 3
    draw_line(panel.GREY, ("slots %d to %d of %d (wheel)"):format(map.first + 1, map.first + map.count, slots))
    y = y - 3
  end
end

local function draw_slots(i)
  local _, _, idle <const>, _, peak <const> = player.pool(i)
  local _, _, _, _, _, version <const> = player.events(i)
  draw_line(panel.GREY, ("%d idle, peak %d%s"):format(idle, peak, version > 0 and ", class v" .. version or ""))
  y = y + 2
  draw_map(i)
  y = y + 3
  if not is_low() then draw_keys() end
  draw_rule()
end

-- }==

-- {== An object ==================================================================

local function draw_times(age, left, timers, next_timer)
  draw_line(panel.GREY, ("age %.2f s, %s"):format(age, left < math.huge and ("%.2f s left"):format(left) or "no end"))
  if timers == 0 then return end
  draw_line(panel.GREY, ("%d timer%s, next in %.2f s"):format(timers, timers == 1 and "" or "s", next_timer))
end

-- Draws the name of an object as a link; returns where the next one begins.
local function draw_link(left, ref)
  local label <const> = label_of(ref)
  local width <const> = label and panel.letter * player.letters(label)
  if not label or left + width > x + w then return left end
  draw_row_back(left, width, false)
  panel.text(g, left, y, BLUE, label)
  add_spot("object", ref, left, y, width, panel.row)
  return left + width + panel.letter
end

local function draw_kin(parent, count, ...)
  if parent then
    panel.text(g, x, y, panel.GREY, "parent ")
    draw_link(x + 7 * panel.letter, parent)
    y = y + panel.row
  end
  if count == 0 then return end
  local begin <const> = ("%d child%s "):format(count, count == 1 and "" or "ren")
  panel.text(g, x, y, panel.GREY, begin)
  local left = x + #begin * panel.letter
  for _, child in ipairs { ... } do left = draw_link(left, child) end
  y = y + panel.row
end

-- Draws the part of the line around the cursor.
local function draw_edit(left, width)
  local line <const> = editing.line
  local room <const> = math.max(width // panel.letter - 1, 0) | 0
  local from <const> = line:first_shown(room)
  local shown <const> = line.text:sub(from + 1)
  local caret <const> = player.letters(line.text:sub(from + 1, line.cursor)) * panel.letter
  panel.fill(g, left - 3, y, width + 3, panel.row, { 0, 0, 0 })
  panel.color(g, message and panel.RED or panel.YELLOW)
  g:rect(left - 3, y, width + 3, panel.row, "line")
  if line.selected and line.text ~= "" then
    panel.fill(g, left - 1, y + 2, math.min(caret + 2, width - 2), panel.row - 4, { 110, 160, 255 }, 110)
  end
  panel.text(g, left, y, panel.WHITE, shown:sub(1, player.span(shown, room + 1)))
  panel.fill(g, (left + caret + 0.5) // 1, y + 2, 1, panel.row - 4, panel.YELLOW)
end

local COLORS <const> = { number = { 150, 230, 170 }, boolean = { 250, 200, 120 }, string = { 240, 170, 220 },
  other = panel.GREY }

local function draw_field(field, left, width, name_width)
  draw_row_back(left, width, false)
  panel.text_cut(g, left, y, name_width - panel.letter, field.own and panel.WHITE or panel.GREY, field.name)
  if editing and editing.name == field.name then
    draw_edit(left + name_width, width - name_width)
  else
    panel.text_cut(g, left + name_width, y, width - name_width, COLORS[field.kind], field.text)
  end
  add_spot("field", field.name, left, y, width, panel.row)
end

-- Fields of the class have a row each; built-in ones are drawn in pairs.
local function draw_fields()
  local fields <const>, half <const>, top <const> = object.fields, (w - 8) // 2, y
  local edited <const> = find_edited()
  local is_right, i = false, math.min(object.first, edited or math.huge)
  object.first = i
  while i <= #fields and y + panel.row <= bottom do
    local own <const> = fields[i].own
    if own or not is_right and i == #fields then
      draw_field(fields[i], x, w, NAME_LETTERS * panel.letter)
    else
      draw_field(fields[i], is_right and x + w - half or x, half, PAIR_LETTERS * panel.letter)
    end
    is_right = not own and not is_right
    if not is_right then y = y + panel.row end
    i = i + 1
  end
  draw_bar(top, object.first, i - 1, #fields)
end

-- Draws the message at the bottom, so that no field moves away from under the mouse.
local function draw_message()
  if not message then return end
  local rows <const> = panel.rows(w, message, 4)
  local top <const> = bottom - panel.row * #rows
  panel.draw_rows(g, x, top, panel.RED, rows)
  bottom = top - 4
end

local function draw_object()
  local age <const>, left <const>, timers <const>, next_timer <const> = inspect.life(selected)
  panel.title(g, x, y, age and panel.WHITE or panel.GREY, object.label)
  panel.text(g, x + panel.title_width(g, object.label) + panel.letter, y + 3, age and panel.GREEN or panel.YELLOW,
    age and "live" or "ended")
  add_spot("life", nil, x, y, w, panel.title_row)
  y = y + panel.title_row
  if age then
    draw_times(age, left, timers, next_timer)
    draw_kin(inspect.kin(selected))
  else
    draw_wrapped(2, panel.YELLOW, "This life is over. Click another object.")
  end
  draw_wrapped(6, panel.GREY, object.history)
  draw_message()
  y = y + 3
  if why.is_shown() then why.draw(g, x, y, w, bottom) else draw_fields() end
end

-- }==

local function draw_origins()
  draw_wrapped(4, panel.GREY, "Click an object or a cell to see its fields.")
  if not inspect.traces() then return end
  y = y + 4
  draw_line(panel.WHITE, "Live objects, by origin")
  for _, origin in ipairs(origins.list) do
    if y + 2 * panel.row > bottom then break end
    draw_row_back(x, w, false)
    panel.text_cut(g, x, y, w - 9 * panel.letter, panel.WHITE, origin.site)
    panel.text_right(g, x + w, y, panel.GREY, ("%.0f s"):format(origin.age))
    add_spot("object", origin.object, x, y, w, 2 * panel.row)
    y = y + panel.row
    draw_line(panel.GREY, ("  %d x %s"):format(origin.count, origin.type))
  end
end

local function draw_corners(at_x, at_y, away, arm, width)
  for i = 0, 3 do
    local dx <const>, dy <const> = i & 1 == 0 and 1 or -1, i & 2 == 0 and 1 or -1
    local cx <const>, cy <const> = at_x - dx * away, at_y - dy * away
    g:line(cx, cy, cx + dx * arm, cy, width)
    g:line(cx, cy, cx, cy + dy * arm, width)
  end
end

-- Draws four corners around the selected object: they frame it and hide nothing.
local function draw_outline(at_x, at_y, radius)
  local away <const> = math.min(radius, 1e4) // 1 + 4
  local arm <const> = math.max(4, away / 2) // 1
  at_x, at_y = (at_x + 0.5) // 1, (at_y + 0.5) // 1
  panel.color(g, { 0, 0, 0 }, 160)
  draw_corners(at_x, at_y, away, arm, 3)
  panel.color(g, OUTLINE)
  draw_corners(at_x, at_y, away, arm, 1)
end

-- Moves the panel to the other side of the window when it hides the selected object here, and would not there.
local function move_aside(at_x, width)
  local under_right <const>, under_left <const> = at_x >= g.width - width, at_x < width
  if at_left and under_left and not under_right then
    at_left = false
  elseif not at_left and under_right and not under_left then
    at_left = true
  end
end

-- Draws it; returns the width that it takes, and whether that is at the left.
function inspector.draw(graphics)
  spot_count, g = 0, graphics
  if not inspector.shown then
    x0, x1 = math.huge, math.huge
    return 0, false
  end
  local width <const> = math.min(WIDTH, math.max(g.width / 2, NARROW), g.width)
  local at_x, at_y, radius
  read()
  if selected then at_x, at_y, radius = inspect.place(selected) end
  if at_x then move_aside(at_x, width) end
  x0 = at_left and MARGIN or g.width - width
  x1 = x0 + width
  x, y, w, bottom = x0 + MARGIN, 2 * MARGIN, width - 3 * MARGIN, g.height - 2 * MARGIN
  if at_x then draw_outline(at_x, at_y, radius) end
  panel.plate(g, x0, MARGIN, width - MARGIN, g.height - 2 * MARGIN)
  draw_pools()
  draw_rule()
  local i <const> = chosen and inspect.find(chosen)
  if i then draw_slots(i) end
  if selected then draw_object() else draw_origins() end
  return width, at_left
end

-- }==

return inspector

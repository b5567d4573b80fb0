-- Maps of tiles. A map is a plain table with the rows that it was made of, in copies: a reload merges edited rows into
-- it, a snapshot copies it, and going back in time takes changed tiles back, as with any table of the game. What is
-- solid, and movement, is in C (src/script/bind/tiles.c), which reads the table; the player draws it by g:tiles(map).

local native <const> = ...
local names <const> = native.use "spawnpool.names"

local show <const>, hint <const> = names.show, names.hint

local MOST_TILES <const>, MOST_TILE <const> = native.MAX_SLOTS, 65535
local ENTRIES <const> = { "letters", "rows", "sheet", "size", "solid" }
local EMPTY <const> = { [" "] = 0, ["."] = 0 }

-- {== Definitions ==========================================================

local function check(fits, format, ...)
  if not fits then error(string.format("tiles: " .. format, ...), 0) end
end

local function is_number(value, least, most)
  return math.type(value) == "integer" and value >= least and value <= most
end

local function is_letter(value) return type(value) == "string" and #value == 1 and string.byte(value) < 128 end

-- Adds the tile of each letter of a text: the first shows tile 1.
local function add_letters(shown, letters)
  for i = 1, #letters do
    local letter <const> = string.sub(letters, i, i)
    check(is_letter(letter), "letters and solid take ASCII letters, got %s", show(letters))
    shown[letter] = i
  end
end

-- Returns what each letter shows: a number of a tile, 0 for none.
local function read_letters(letters, solid)
  local shown <const> = {}
  for letter in next, EMPTY do shown[letter] = 0 end
  if type(letters) == "table" then
    for letter, tile in next, letters do
      check(is_letter(letter) and is_number(tile, 0, MOST_TILE),
        "letters maps single letters to numbers of tiles, got [%s] = %s", show(letter), show(tile))
      shown[letter] = tile
    end
  else
    check(letters == nil or type(letters) == "string", "letters must be a string or a table, got %s", show(letters))
    add_letters(shown, letters or solid)
  end
  for letter in string.gmatch(solid, ".") do shown[letter] = shown[letter] or 0 end
  return shown
end

-- Returns a copy of the rows of text, and tables by byte: what is shown, and what is solid.
local function read_text(it, columns)
  local solid <const> = it.solid or "#"
  check(type(solid) == "string", "solid must be a string of letters, got %s", show(solid))
  local by_letter <const> = read_letters(it.letters, solid)
  local rows <const>, shown <const>, solids <const> = {}, {}, {}
  for letter, tile in next, by_letter do shown[string.byte(letter)] = tile end
  for i = 1, #solid do solids[string.byte(solid, i)] = true end
  for y, row in ipairs(it.rows) do
    for x = 1, #row do
      check(shown[string.byte(row, x)], "rows[%d] has the letter %s at %d: name it in letters or in solid", y,
        show(string.sub(row, x, x)), x)
    end
    rows[y] = row .. string.rep(" ", columns - #row)
  end
  return rows, shown, solids
end

-- Reads rows of numbers, which are the tiles that are shown.
local function read_numbers(it, columns)
  local solid = it.solid
  check(it.letters == nil, "letters are for rows of text, and these are of numbers")
  if type(solid) == "number" then solid = { solid } end
  check(solid == nil or type(solid) == "table", "solid must be a number or a list of numbers, got %s", show(solid))
  local rows <const>, solids <const> = {}, solid and {} or true
  for _, tile in ipairs(solid or {}) do
    check(is_number(tile, 0, MOST_TILE), "solid lists numbers from 0 to %d, got %s", MOST_TILE, show(tile))
    solids[tile] = true
  end
  for y, row in ipairs(it.rows) do
    local copy <const> = {}
    for x = 1, columns do
      local tile <const> = rawget(row, x) or 0
      check(is_number(tile, 0, MOST_TILE), "rows[%d][%d] must be an integer from 0 to %d, got %s", y, x, MOST_TILE,
        show(tile))
      copy[x] = tile
    end
    rows[y] = copy
  end
  return rows, nil, solids
end

-- Returns a list of the rows, which are of one kind, whether that is text, and how many tiles the first one has.
local function check_rows(rows)
  check(type(rows) == "table" and rawlen(rows) > 0, "rows must list strings, or tables of numbers, got %s", show(rows))
  local first <const> = rawget(rows, 1)
  local kind <const>, list <const> = type(first) == "table" and "table" or "string", {}
  for y = 1, rawlen(rows) do
    local row <const> = rawget(rows, y)
    check(type(row) == kind, "rows[%d] must be a %s%s, got %s", y, kind, y > 1 and " as rows[1] is" or "", show(row))
    check(rawlen(row) <= rawlen(first), "rows[%d] is too long: it has %d tiles, and rows[1] has %d", y, rawlen(row),
      rawlen(first))
    list[y] = row
  end
  check(rawlen(first) > 0, "rows[1] has no tiles")
  check(rawlen(first) * rawlen(rows) <= MOST_TILES, "the map has more than %d tiles", MOST_TILES)
  return list, kind == "string", rawlen(first)
end

-- Returns the entries of a definition, which are read once.
local function read_definition(definition)
  check(type(definition) == "table", "a table expected, got %s", show(definition))
  local it <const>, known <const> = {}, {}
  for _, name in ipairs(ENTRIES) do it[name], known[name] = rawget(definition, name), true end
  for key in next, definition do
    check(known[key], "there is no entry %s%s", show(key), type(key) == "string" and hint(key, ENTRIES) or "")
  end
  local size <const> = it.size
  check(type(size) == "number" and size > 0 and size <= 3.4e38, "size must be a number above 0, got %s", show(size))
  check(it.sheet == nil or type(it.sheet) == "string", "sheet must be the name of a picture, got %s", show(it.sheet))
  check(not it.sheet or math.tointeger(size), "size must be a whole number of pixels of the sheet, got %s", show(size))
  return it
end

-- }==

-- {== Methods ==============================================================

-- solid and move are there already.
local methods <const> = native.tiles

local Map <const> = { __index = methods, __name = "spawnpool.tiles", __metatable = "spawnpool.tiles" }

local function check_map(map)
  if type(map) ~= "table" or rawequal(map, methods) or type(rawget(map, "rows")) ~= "table" then
    error("map of spawnpool.tiles expected (call methods with a colon: map:get(...))", 3)
  end
  return rawget(map, "rows")
end

local function is_place(map, column, row)
  return is_number(column, 1, rawget(map, "columns")) and is_number(row, 1, rawlen(rawget(map, "rows")))
end

local function tile_at(rows, column, row)
  local tiles <const> = rawget(rows, row)
  if type(tiles) == "string" then return string.sub(tiles, column, column) end
  return type(tiles) == "table" and rawget(tiles, column) or nil
end

function methods.get(map, column, row)
  local rows <const> = check_map(map)
  return is_place(map, column, row) and tile_at(rows, column, row) or nil
end

function methods.set(map, column, row, tile)
  local rows <const> = check_map(map)
  if not is_place(map, column, row) then
    error(string.format("set: the map has no tile at column %s, row %s", show(column), show(row)), 2)
  end
  local shown <const>, tiles <const>, before <const> = rawget(map, "shown"), rawget(rows, row),
    tile_at(rows, column, row)
  if not shown then
    if not is_number(tile, 0, MOST_TILE) then
      error(string.format("set: a tile is an integer from 0 to %d, got %s", MOST_TILE, show(tile)), 2)
    end
    tiles[column] = tile
  elseif is_letter(tile) and shown[string.byte(tile)] then
    rows[row] = string.sub(tiles, 1, column - 1) .. tile .. string.sub(tiles, column + 1)
  else
    error(string.format("set: %s is no letter of this map: name it in letters or in solid", show(tile)), 2)
  end
  return before
end

function methods.at(map, x, y)
  local rows <const> = check_map(map)
  if type(x) ~= "number" or type(y) ~= "number" then
    error(string.format("at: two numbers expected, got %s and %s", show(x), show(y)), 2)
  end
  local size <const> = rawget(map, "size")
  local column <const>, row <const> = math.tointeger(x // size), math.tointeger(y // size)
  if not (column and row and is_place(map, column + 1, row + 1)) then return nil end
  return tile_at(rows, column + 1, row + 1), column + 1, row + 1
end

function methods.each(map, tile)
  local rows <const> = check_map(map)
  local size <const>, columns <const>, column, row = rawget(map, "size"), rawget(map, "columns"), 0, 1
  return function()
    while row <= rawlen(rows) do
      column = column + 1
      if column > columns then
        column, row = 0, row + 1
      elseif tile_at(rows, column, row) == tile then
        return (column - 0.5) * size, (row - 0.5) * size, column, row
      end
    end
  end
end

function Map.__tostring(map)
  local rows <const> = check_map(map)
  return string.format("map of %s x %d tiles", show(rawget(map, "columns")), rawlen(rows))
end

-- }==

local function make(definition)
  local it <const> = read_definition(definition)
  local list <const>, is_text <const>, columns <const> = check_rows(it.rows)
  it.rows = list
  local rows <const>, shown <const>, solids <const> = (is_text and read_text or read_numbers)(it, columns)
  return setmetatable({
    size = it.size, sheet = it.sheet, columns = columns, rows = rows, shown = shown, solids = solids,
    width = columns * it.size, height = #rows * it.size,
  }, Map)
end

---@param definition table
return function(definition)
  local done <const>, result <const> = pcall(make, definition)
  if done then return result end
  error(result, 2)
end

-- Writes what the rows of src/script/bind/rows.c say into the annotations of the editor, the tables of the manual and
-- the file for LuaJIT. `lua5.4 tests/lua/annotate.lua` names the files that differ, with `renew` it writes them.
package.path = "tests/lua/?.lua;" .. package.path
local annotations <const> = require "annotations"

local annotate <const> = {}

annotate.FILES = {
  "lua/spawnpool/class.d.lua", "lua/spawnpool/meta.lua", "docs/lua.md", "docs/calls.md", "lua/spawnpool/ffi_class.lua",
}

local WIDTH <const> = 120

-- The library's functions for its own Lua files are in the registry.
local function rows_of_library()
  require "spawnpool"
  for _, value in pairs(debug.getregistry()) do
    if type(value) == "table" and rawget(value, "rows") then return value.rows end
  end
  error "the library keeps no rows"
end

local library_rows <const> = rows_of_library()

-- Returns the rows of an owner, or nil. The type of words are the words.
local function rows_of(owner)
  local rows <const> = library_rows(owner)
  for _, row in ipairs(rows or {}) do
    row.type = row.type or ('"%s"'):format(row.words:gsub(" ", '" | "'))
  end
  return rows
end

-- Returns a text whose sections have today's rows in place of theirs. `begins(line)`: the owner of the section that
-- begins here, "" where one ends; `is_row(line, owner)`; `shown(owner)`: its rows; `kept(line, owner)`: what another
-- line is now.
local function renewed(text, begins, is_row, shown, kept)
  local out <const>, owner, is_done = {}, "", false
  for line in text:gmatch "[^\n]*\n" do
    local new <const> = begins(line)
    if new then owner, is_done = new, false end
    if new or not is_row(line, owner) or not rows_of(owner) then
      out[#out + 1] = kept and kept(line, owner) or line
    elseif not is_done then
      out[#out + 1], is_done = shown(owner), true
    end
  end
  return table.concat(out)
end

-- {== Annotations ==============================================================

-- A limit of a pool reads nil when there is none.
local function type_in(owner, row)
  return owner == "Pool" and row.check == "limit" and row.type .. "?" or row.type
end

local OPTIONAL <const> = { Motion = true, Animation = true, Sounds = true, Hooks = true, Definition = true,
  Options = true }

-- Returns the lines of a row: its help is in front of it when it does not fit behind.
local function field_lines(owner, row)
  local default <const> = row.check and row.standard or owner == "Options" and row.standard
  local text <const> = row.help:gsub("%[(.-)%]%(.-%)", "%1")
  local help <const> = text .. (default and default ~= "none" and ("; %s by default"):format(default) or "")
  local field <const> = ("---@field %s%s %s"):format(row.name, OPTIONAL[owner] and "?" or "", type_in(owner, row))
  if #field + #help < WIDTH then return field .. " " .. help .. "\n" end
  return ("---%s\n%s\n"):format(help, field)
end

-- Fields that are no names stay, and so does what stands behind the fields.
local function annotated(text)
  return renewed(text, function(line)
    return line:match "^%-%-%-@class spawnpool%.(%w+)" or not line:match "^%-%-%-" and ""
  end, function(line) return line:match "^%-%-%-[^@]" or line:match "^%-%-%-@field [%a_]" end, function(owner)
    local out <const> = {}
    for _, row in ipairs(rows_of(owner)) do out[#out + 1] = field_lines(owner, row) end
    return table.concat(out)
  end)
end

-- }==

-- {== Tables ===================================================================

-- "spawnpool.Class?" is shown as "class, or `nil`".
local function shown_type(owner, row)
  local shown <const> = type_in(owner, row):gsub("spawnpool%.(%u)", string.lower)
  return (shown:gsub("%?$", ", or `nil`"))
end

local function shown_name(row)
  local parameters <const> = row.type:match "^fun(%b())"
  if not parameters then return ("`%s`"):format(row.name) end
  return ("`%s%s`"):format(row.name, parameters:gsub("%??: [^,)]*", ""))
end

-- Links within the page are relative to it.
local function shown_help(row, page) return (row.help:gsub("%(" .. page:gsub("%p", "%%%0") .. "#", "(#")) end

-- Settings of a class that objects and pools have too are described once.
local function is_setting(owner, row)
  if owner ~= "Object" and owner ~= "Pool" then return false end
  for _, setting in ipairs(rows_of "Definition") do
    if setting.name == row.name then return setting.help == row.help end
  end
end

-- Returns the cells of a row that stand behind its name, by the titles of the columns.
local function cells(owner, row, titles, page)
  local out <const>, known <const> = {}, is_setting(owner, row)
  for i = 2, #titles do
    local title <const> = titles[i]
    local standard <const> = (row.standard or ""):gsub('^".*"$', "`%0`")
    local elsewhere <const> = ("[of its class](%s#settings)"):format(page == "lua.md" and "" or "lua.md")
    out[#out + 1] = known and (i == #titles and elsewhere or "") or title == "default" and standard
      or title == "result" and shown_type(owner, row) or shown_help(row, page)
  end
  return " " .. table.concat(out, " | ") .. " |\n"
end

-- Returns the lines of all rows: those that differ in their names only share one.
local function table_lines(owner, titles, page)
  local out <const> = {}
  local names, before = nil, nil
  for _, row in ipairs(rows_of(owner)) do
    local rest <const> = cells(owner, row, titles, page)
    names = rest == before and names .. " " .. shown_name(row) or shown_name(row)
    if rest ~= before then out[#out + 1] = "" end
    out[#out] = ("| %s |%s"):format(names, rest):gsub("|  |", "| |")
    before = rest
  end
  return table.concat(out)
end

-- Returns "sp_manager_open" -> "sp_manager_open(options, result)", as the headers declare it.
local function prototypes()
  local found <const> = {}
  for _, path in ipairs { "core/spawnpool.h", "core/spawnpool_desc.h", "core/spawnpool_save.h",
    "core/spawnpool_tools.h", "script/script.h" } do
    local file <close> = assert(io.open("src/" .. path))
    local code = file:read("a"):gsub("/%*.-%*/", "")
    code = code:gsub("\nstatic inline ([^;{}#]-%b())%s*{", "\nSP_API %1;\n{")
    for name, list in code:gmatch "\nSP_API [^;{}#]-([%w_]+)(%b());" do
      local names <const> = {}
      for part in list:sub(2, -2):gsub("%(%*([%w_]+)%)%b()", " %1"):gmatch "[^,]+" do
        local last <const> = part:match "([%w_]+)%s*$" or part:match "%.%.%."
        if last ~= "void" then names[#names + 1] = last end
      end
      found[name] = ("%s(%s)"):format(name, table.concat(names, ", "))
    end
  end
  return found
end

-- Tables under "<!-- names: spawnpool.Owner -->" have the fields of the owner, and the parameters of its methods; calls
-- in C have theirs everywhere.
local function tabulated(text, page)
  local forms <const>, prototype_of <const> = annotations.read { "lua/spawnpool/meta.lua" }.forms, prototypes()
  local titles
  local function method_of(line, owner) return owner ~= "Hooks" and line:match "^| `([%w_]+)%(" end
  return renewed(text, function(line)
    local owner <const> = line:match "^<!%-%- names: [%w.]-(%w+) %-%->"
    if owner then titles = nil end
    return owner or not line:match "^|" and ""
  end, function(line, owner)
    if not titles then
      titles = {}
      for title in line:gmatch "|%s*([^|\n]-)%s*%f[|]" do titles[#titles + 1] = title end
    end
    return line:match "^| `" and not method_of(line, owner)
  end, function(owner) return table_lines(owner, titles, page) end, function(line, owner)
    local method <const> = method_of(line, owner)
    local in_c <const> = line:match "^| `(sp_[%w_]+)%(" or line:match "^| `(luaopen_[%w_]+)%("
    local form <const> = method and forms[owner .. "." .. method]
    local shown <const> = in_c and assert(prototype_of[in_c], in_c) or form
    return shown and line:gsub("^| `[^`]*`", ("| `%s`"):format(shown)) or line
  end)
end

-- }==

-- {== LuaJIT ===================================================================

-- "refuse = 0, oldest = 1": the values of the core's enum. The word behind its last one is the binding's own.
local function shown_words(row)
  local list <const>, own <const> = {}, row.check == "overflow" and "error" or nil
  for word in row.words:gmatch "%a+" do
    list[#list + 1] = ("%s = %d"):format(word, word == own and row.low or row.low + #list)
  end
  return (", words = { %s }"):format(table.concat(list, ", "))
end

local function shown_row(row, is_tunable)
  local limits <const> = row.high > row.low and (", low = %d, high = %d"):format(row.low, row.high) or ""
  return ('%s = { "%s", "%s"%s%s%s },'):format(row.name, row.member, row.check, limits,
    is_tunable and ", pool = true" or "", row.words and shown_words(row) or "")
end

-- The rows of an owner, as many on a line as fit.
local function row_lines(owner)
  local tunable <const>, out <const>, line = {}, {}, " "
  for _, row in ipairs(rows_of "Pool") do tunable[row.name] = row.check end
  for _, row in ipairs(rows_of(owner)) do
    local shown <const> = row.member and shown_row(row, owner == "Definition" and tunable[row.name]) or ""
    if #line + #shown >= WIDTH then
      out[#out + 1], line = line .. "\n", " "
    end
    line = row.member and line .. " " .. shown or line
  end
  out[#out + 1] = line .. "\n"
  return table.concat(out)
end

local function with_rows(text)
  return renewed(text, function(line) return line:match "^%-%- rows: (%w+)" or line:match "^}" and "" end,
    function(line) return line:match "^  " end, row_lines)
end

-- }==

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

-- Returns what the file should be, and what it is.
function annotate.compare(path)
  local text <const> = read(path)
  local page <const> = path:match "^docs/(.*)"
  if page then return tabulated(text, page), text end
  return (path:match "ffi" and with_rows or annotated)(text), text
end

-- Returns the files that differ from the rows; with `renew` they are written.
function annotate.check(renew)
  local differ <const> = {}
  for _, path in ipairs(annotate.FILES) do
    local wanted <const>, text <const> = annotate.compare(path)
    if wanted ~= text then differ[#differ + 1] = path end
    if renew and wanted ~= text then
      local file <close> = assert(io.open(path, "wb"))
      file:write(wanted)
    end
  end
  return differ
end

if arg and arg[0] and arg[0]:match "annotate%.lua$" then
  local differ <const> = annotate.check(arg[1] == "renew")
  for _, path in ipairs(differ) do print(path .. " differs: make api RENEW=1 writes it") end
  os.exit(#differ == 0 or arg[1] == "renew")
end

return annotate

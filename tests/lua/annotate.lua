-- Writes what the rows of src/script/bind/rows.c say into the annotations of the editor, the tables of the manual and
-- the file for LuaJIT. `lua5.4 tests/lua/annotate.lua` names the files that differ, with `renew` it writes them.
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

-- Returns the text of annotations with the fields of all owners replaced. Fields that are no names stay.
local function annotated(text)
  local out <const> = {}
  local owner
  for line in text:gmatch "[^\n]*\n" do
    local class <const> = line:match "^%-%-%-@class spawnpool%.(%w+)"
    if not line:match "^%-%-%-" then owner = nil end
    if class or not owner or not line:match "^%-%-%-[^@]" and not line:match "^%-%-%-@field [%a_]" then
      out[#out + 1] = line
    end
    local rows <const> = class and rows_of(class)
    owner = rows and class or owner
    for _, row in ipairs(rows or {}) do out[#out + 1] = field_lines(class, row) end
  end
  return table.concat(out)
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

-- Returns "Manager.alloc" -> "alloc(type, lifetime?, ...)", as meta.lua annotates methods; those with an overload have
-- more than one form.
local function signatures()
  local found <const> = {}
  local parameters, overloaded = {}, false
  for line in io.lines "lua/spawnpool/meta.lua" do
    local name <const>, optional <const> = line:match "^%-%-%-@param ([%w_.]+)(%??)"
    local owner <const>, method <const> = line:match "^function ([%w_]+)[.:]([%w_]+)%("
    if name then parameters[#parameters + 1] = name .. optional end
    overloaded = overloaded or line:match "^%-%-%-@overload" ~= nil
    if owner and not overloaded then
      found[owner .. "." .. method] = ("`%s(%s)`"):format(method, table.concat(parameters, ", "))
    end
    if not line:match "^%-%-" then parameters, overloaded = {}, false end
  end
  return found
end

-- Returns "sp_open" -> "`sp_open(options, result)`", as the headers declare it.
local function prototypes()
  local found <const> = {}
  for _, path in ipairs { "core/spawnpool.h", "core/spawnpool_save.h", "core/spawnpool_tasks.h", "script/script.h" } do
    local file <close> = assert(io.open("src/" .. path))
    local code <const> = file:read("a"):gsub("/%*.-%*/", "")
    for name, list in code:gmatch "\nSP_API [^;{}#]-([%w_]+)(%b());" do
      local names <const> = {}
      for part in list:sub(2, -2):gsub("%(%*([%w_]+)%)%b()", " %1"):gmatch "[^,]+" do
        local last <const> = part:match "([%w_]+)%s*$" or part:match "%.%.%."
        if last ~= "void" then names[#names + 1] = last end
      end
      found[name] = ("`%s(%s)`"):format(name, table.concat(names, ", "))
    end
  end
  return found
end

-- Returns the text of a page with the fields replaced in all tables under "<!-- names: spawnpool.Owner -->", and the
-- parameters of methods and of calls in C.
local function tabulated(text, page)
  local signature_of <const>, prototype_of <const> = signatures(), prototypes()
  local out <const> = {}
  local owner, titles, dropped
  for line in text:gmatch "[^\n]*\n" do
    local is_method <const> = owner ~= "Hooks" and line:match "^| `[%w_]+%("
    local is_field <const> = owner and titles and rows_of(owner) and line:match "^| `" and not is_method
    if is_field then
      line, dropped = "", true
    elseif owner and not titles and line:match "^|" then
      titles = {}
      for title in line:gmatch "|%s*([^|\n]-)%s*%f[|]" do titles[#titles + 1] = title end
    elseif owner and not line:match "^|" then
      if dropped then out[#out + 1] = table_lines(owner, titles, page) end
      owner = nil
    end
    local method <const> = is_method and line:match "^| `([%w_]+)"
    local signature <const> = owner and method and signature_of[owner .. "." .. method]
    local in_c <const> = line:match "^| `(sp_[%w_]+)%(" or line:match "^| `(luaopen_[%w_]+)%("
    local shown <const> = in_c and assert(prototype_of[in_c], in_c) or signature
    out[#out + 1] = shown and line:gsub("^| `[^`]*`", "| " .. shown) or line
    local named <const> = line:match "^<!%-%- names: [%w.]-(%w+) %-%->"
    if named then owner, titles, dropped = named, nil, false end
  end
  return table.concat(out)
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

-- Adds the rows of an owner, as many on a line as fit.
local function add_rows(out, owner, tunable)
  local line = " "
  for _, row in ipairs(rows_of(owner)) do
    local shown <const> = row.member and shown_row(row, owner == "Definition" and tunable[row.name]) or ""
    if #line + #shown >= WIDTH then
      out[#out + 1], line = line .. "\n", " "
    end
    line = row.member and line .. " " .. shown or line
  end
  out[#out + 1] = line .. "\n"
end

local function with_rows(text)
  local tunable <const>, out <const> = {}, {}
  for _, row in ipairs(rows_of "Pool") do tunable[row.name] = row.check end
  local inside
  for line in text:gmatch "[^\n]*\n" do
    if inside and line:match "^}" then
      add_rows(out, inside, tunable)
      inside = nil
    end
    if not (inside and line:match "^  ") then out[#out + 1] = line end
    inside = line:match "^%-%- rows: (%w+)" or inside
  end
  return table.concat(out)
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

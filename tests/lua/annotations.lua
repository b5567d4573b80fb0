-- The editor annotations, read: which names they give to which class, and which words an alias stands for.
local annotations <const> = {}

annotations.FILES = {
  "lua/spawnpool/meta.lua", "lua/spawnpool/class.d.lua", "lua/spawnpool/save.d.lua", "lua/spawnpool/reload.d.lua",
  "lua/spawnpool/player.d.lua",
}

-- All lines of all annotations.
local function lines()
  local texts <const> = {}
  for i, file in ipairs(annotations.FILES) do
    local f <close> = assert(io.open(file))
    texts[i] = f:read "a"
  end
  return table.concat(texts):gmatch "([^\n]*)\n"
end

-- Returns whether a word follows the type at the head of `rest`. A function is described by its parameters.
local function is_described(rest)
  if rest:match "^fun" then return true end
  rest = rest:gsub("%b{}", "T"):gsub("%b<>", ""):gsub("%s*|%s*", "|")
  return rest:match "^%S+ %S" ~= nil
end

-- Class name -> set of the names that it has: of @field lines, and of functions of the local that stands for it. And
-- the same with whether a field is described, behind its type or in the line before.
local function read()
  local classes <const>, described <const>, locals <const> = {}, {}, {}
  local current
  local after_help = false
  for line in lines() do
    local class <const> = line:match "^%-%-%-@class ([%w_.]+)"
    local field <const>, rest <const> = line:match "^%-%-%-@field ([%a_][%w_]*)%?? (.*)"
    local stands <const> = line:match "^local ([%w_]+) = {}"
    local owner <const>, name <const> = line:match "^function ([%w_]+)[.:]([%w_]+)%("
    if class then
      current = class
      classes[class], described[class] = classes[class] or {}, described[class] or {} -- two files may have it
    elseif field then
      classes[current][field] = true
      described[current][field] = after_help or is_described(rest)
    elseif stands then
      locals[stands] = current
    elseif owner then
      classes[assert(locals[owner], line)][name] = true
    end
    after_help = line:match "^%-%-%-[^@]" ~= nil
  end
  return classes, described
end

function annotations.read() return (read()) end

function annotations.described() return select(2, read()) end

-- Every function: its name, its parameters as "a, b", those that are annotated, and how many results are.
function annotations.functions()
  local list <const> = {}
  local annotated, results = {}, 0
  for line in lines() do
    local param <const> = line:match "^%-%-%-@param ([%w_.]+)"
    local name <const>, parameters <const> = line:match "^function ([%w_.:]+)%((.-)%) end$"
    annotated[#annotated + 1] = param
    if line:match "^%-%-%-@return" then results = results + 1 end
    if name then
      list[#list + 1] = { name = name, has = parameters, annotated = table.concat(annotated, ", "), results = results }
    end
    if not line:match "^%-%-" then annotated, results = {}, 0 end
  end
  return list
end

-- The types that the annotations declare, and those that they name, "spawnpool.X".
function annotations.types()
  local declared <const>, named <const> = {}, {}
  for line in lines() do
    local type <const> = line:match "^%-%-%-@class (spawnpool[%w.]*)" or line:match "^%-%-%-@alias (spawnpool[%w.]*)"
    if type then declared[type] = true end
    for name in line:gmatch "%f[%w]spawnpool%.%u%w*" do named[name] = true end
  end
  return declared, named
end

-- The words of an alias: lines `---| "word"`.
function annotations.words_of(alias)
  local words <const> = {}
  local inside = false
  for line in lines() do
    local name <const> = line:match "^%-%-%-@alias ([%w_.]+)"
    if name then inside = name == alias end
    local word <const> = line:match '^%-%-%-| "([%w_]+)"'
    if inside and word then words[word] = true end
  end
  return words
end

return annotations

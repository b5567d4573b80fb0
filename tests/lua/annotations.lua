-- The editor annotations, read: what they name.
local annotations <const> = {}

annotations.FILES = {
  "lua/spawnpool/meta.lua", "lua/spawnpool/class.d.lua", "lua/spawnpool/save.d.lua", "lua/spawnpool/reload.d.lua",
  "lua/spawnpool/player.d.lua",
}

-- Returns whether a word follows the type at the head of `rest`. A function is described by its parameters.
local function is_described(rest)
  if rest:match "^fun" then return true end
  rest = rest:gsub("%b{}", "T"):gsub("%b<>", ""):gsub("%s*|%s*", "|")
  return rest:match "^%S+ %S" ~= nil
end

-- `names`: of each class, those of @field lines, and of functions of the local that stands for it. `words`: of each
-- alias. `plain`: fields that nothing is said of. `functions`: those whose parameters are not those that are annotated,
-- and those without results. `declared` and `used`: types.
function annotations.read()
  local it <const> = { names = {}, words = {}, plain = {}, functions = {}, declared = {}, used = {} }
  local locals <const> = {}
  local class, alias, params, results, is_helped = nil, nil, {}, 0, false
  local function see(line)
    class = line:match "^%-%-%-@class ([%w_.]+)" or class
    alias = line:match "^%-%-%-@alias ([%w_.]+)" or alias
    it.declared[class or 0], it.declared[alias or 0] = true, true
    it.names[class or 0], it.words[alias or 0] = it.names[class or 0] or {}, it.words[alias or 0] or {}
    for name in line:gmatch "%f[%w]spawnpool%.%u%w*" do it.used[name] = true end
    local word <const> = line:match '^%-%-%-| "([%w_]+)"'
    if word then it.words[alias][word] = true end
    local field <const>, rest <const> = line:match "^%-%-%-@field ([%a_][%w_]*)%?? (.*)"
    if field then
      it.names[class][field] = true
      if not is_helped and not is_described(rest) then it.plain[#it.plain + 1] = class .. "." .. field end
    end
    is_helped = line:match "^%-%-%-[^@]" ~= nil
    params[#params + 1] = line:match "^%-%-%-@param ([%w_.]+)"
    if line:match "^%-%-%-@return" then results = results + 1 end
    local stands <const> = line:match "^local ([%w_]+) = {}"
    if stands then locals[stands] = class end
    local owner <const>, name <const>, parameters <const> = line:match "^function ([%w_]+)[.:]([%w_]+)%((.-)%) end$"
    if owner then
      it.names[assert(locals[owner], line)][name] = true
      if parameters ~= table.concat(params, ", ") or results == 0 then
        it.functions[#it.functions + 1] = owner .. "." .. name
      end
    end
    if not line:match "^%-%-" then params, results = {}, 0 end
  end
  for _, file in ipairs(annotations.FILES) do
    for line in io.lines(file) do see(line) end
  end
  it.names[0], it.words[0], it.declared[0] = nil, nil, nil -- before the first
  return it
end

return annotations

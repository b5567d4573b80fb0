-- The editor annotations, read: what they name.
local annotations <const> = {}

annotations.FILES = {
  "lua/spawnpool/meta.lua", "lua/spawnpool/class.d.lua", "lua/spawnpool/save.d.lua", "lua/spawnpool/reload.d.lua",
  "lua/spawnpool/player.d.lua",
}

-- `names`: of each class, those of @field lines, and of functions of the local that stands for it. `words`: of each
-- alias. `forms`: "Manager.alloc" -> "alloc(type, lifetime?, ...)", of functions that have one form. `wrong`: functions
-- whose parameters are not those that are annotated. `declared` and `used`: types.
function annotations.read(files)
  local it <const> = { names = {}, words = {}, forms = {}, wrong = {}, declared = {}, used = {} }
  local locals <const> = {}
  local class, alias, params, marked, has_forms = nil, nil, {}, {}, false
  local function see(line)
    class = line:match "^%-%-%-@class ([%w_.]+)" or class
    alias = line:match "^%-%-%-@alias ([%w_.]+)" or alias
    it.declared[class or 0], it.declared[alias or 0] = true, true
    it.names[class or 0], it.words[alias or 0] = it.names[class or 0] or {}, it.words[alias or 0] or {}
    for name in line:gmatch "%f[%w]spawnpool%.%u%w*" do it.used[name] = true end
    local word <const> = line:match '^%-%-%-| "([%w_]+)"'
    if word then it.words[alias][word] = true end
    local field <const> = line:match "^%-%-%-@field ([%a_][%w_]*)"
    if field then it.names[class][field] = true end
    local param <const>, optional <const> = line:match "^%-%-%-@param ([%w_.]+)(%??)"
    if param then params[#params + 1], marked[#marked + 1] = param, param .. optional end
    has_forms = has_forms or line:match "^%-%-%-@overload" ~= nil
    local stands <const> = line:match "^local ([%w_]+) = {}"
    if stands then locals[stands] = class end
    local owner <const>, name <const>, parameters <const> = line:match "^function ([%w_]+)[.:]([%w_]+)%((.-)%) end$"
    if owner then
      local path <const> = owner .. "." .. name
      it.names[assert(locals[owner], line)][name] = true
      if parameters ~= table.concat(params, ", ") then it.wrong[#it.wrong + 1] = path end
      it.forms[path] = not has_forms and ("%s(%s)"):format(name, table.concat(marked, ", ")) or nil
    end
    if not line:match "^%-%-" then params, marked, has_forms = {}, {}, false end
  end
  for _, file in ipairs(files or annotations.FILES) do
    for line in io.lines(file) do see(line) end
  end
  it.names[0], it.words[0], it.declared[0] = nil, nil, nil -- before the first
  return it
end

return annotations

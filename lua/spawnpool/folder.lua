-- The files of a folder, as far as they are Lua.

local native <const> = ...

local folder <const> = {}

local DEEPEST <const> = 16

local function add_files(list, path, below, depth)
  local files <const>, folders <const> = native.list(path)
  table.sort(files)
  table.sort(folders)
  for _, name in ipairs(files) do
    if name:match "%.lua$" then list[#list + 1] = below .. name end
  end
  for _, name in ipairs(folders) do
    if depth < DEEPEST then add_files(list, path .. "/" .. name, below .. name .. "/", depth + 1) end
  end
end

-- Their paths from the folder on, in order; what begins with a dot is left out.
function folder.lua_files(path)
  local list <const> = {}
  add_files(list, path, "", 0)
  return list
end

-- What a game in a sandbox could require.
function folder.modules()
  local path <const> = native.folder()
  local list <const> = { "spawnpool" }
  for _, file in ipairs(path and folder.lua_files(path) or {}) do
    local name <const> = file:sub(1, -5):gsub("/init$", ""):gsub("/", ".")
    if name ~= "main" and not name:match "^pools%." then list[#list + 1] = name end
  end
  return list
end

return folder

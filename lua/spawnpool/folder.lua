-- Lists the Lua files of a folder.

local native <const> = ...

local folder <const> = {}

-- Limits the walk of a wrong folder ("/").
local DEEPEST <const> = 16
local MOST <const> = 20000 -- files and folders

local function add_files(list, path, below, depth)
  if list.seen >= MOST then return end
  local files <const>, folders <const> = native.list(path)
  list.seen = list.seen + #files + #folders
  table.sort(files)
  table.sort(folders)
  for _, name in ipairs(files) do
    if name:match "%.lua$" then list[#list + 1] = below .. name end
  end
  for _, name in ipairs(folders) do
    if depth < DEEPEST then
      add_files(list, path .. "/" .. name, below .. name .. "/", depth + 1)
    else
      list.rest = list.rest or ("%s lies more than %d folders deep"):format(below .. name, DEEPEST)
    end
  end
end

-- Returns their paths relative to the folder, in order, without those that begin with a dot; links to folders are not
-- followed. The second result says why the list may be incomplete, or is nil.
function folder.lua_files(path)
  local list <const> = { seen = 0 }
  add_files(list, path, "", 0)
  if list.seen >= MOST then list.rest = ("there are more than %d files and folders"):format(MOST) end
  return list, list.rest
end

-- Returns the modules that a game in a sandbox could require.
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

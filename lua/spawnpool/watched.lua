-- The folders that hot reload watches: how their files are named, and which records belong to a changed file.

local native <const> = ...
local files <const> = native.use "spawnpool.files"
local names <const> = native.use "spawnpool.names"

local watched <const> = { list = {} } -- { folder, real, watcher }

local NAMES_MOST <const> = 4 -- files named in a message

-- {== Names ================================================================

-- Returns the name of a file for messages: relative to the watched folder.
function watched.shown(path)
  for _, watch in ipairs(watched.list) do
    if string.sub(path, 1, #watch.folder + 1) == watch.folder .. "/" then return string.sub(path, #watch.folder + 2) end
  end
  return path
end

-- Returns the names of records, in the order of the list: a file that was loaded by two names is listed once.
function watched.names_of(list)
  local out <const>, is_there <const> = {}, {}
  for _, record in ipairs(list) do
    if not is_there[record.path] then out[#out + 1] = watched.shown(record.path) end
    is_there[record.path] = true
  end
  return out
end

-- Returns the names of the records that are keys of a table, by path.
function watched.names_in(set)
  local list <const> = {}
  for _, record in ipairs(files.sorted()) do
    if set[record] ~= nil then list[#list + 1] = record end
  end
  return watched.names_of(list)
end

-- Formats names for a message.
function watched.joined(list)
  local more <const> = #list - NAMES_MOST
  if more <= 0 then return table.concat(list, ", ") end
  return string.format("%s and %d more", table.concat(list, ", ", 1, NAMES_MOST), more)
end

local function true_name(watch, path) return watch.real .. string.sub(path, #watch.folder + 1) end

-- Returns the class that a file under the manager's path would declare, or nil.
local function class_of(path)
  for _, template in ipairs(native.paths()) do
    local head <const>, tail <const> = string.match(template, "^(.-)%?(.*)$")
    if head and #path > #head + #tail and string.sub(path, 1, #head) == head and string.sub(path, -#tail) == tail then
      local name <const> = string.match(string.sub(path, #head + 1, -#tail - 1), "^[%w_%-]+$")
      if name then return name end
    end
  end
  return nil
end

-- Returns the name of a module that is loaded from this file without being tracked, because it was required too early.
-- Opens no file: one may be a pipe.
local function loaded_untracked(real)
  local package <const> = files.package
  local path <const> = package and package.searchpath and package.path
  for name in pairs(type(path) == "string" and files.loaded or {}) do
    local place <const> = type(name) == "string" and (string.gsub(string.gsub(name, "%.", "/"), "%%", "%%%%")) or nil
    for template in string.gmatch(place and path or "", "[^;]+") do
      if native.realpath((string.gsub(template, "%?", place))) == real then return name end
    end
  end
  return nil
end

-- Returns the records of a changed file, one for each name that it was loaded by. A new class file gets one; another
-- file that was never required has none. Second result: the module, when it was loaded before the folder was watched.
function watched.records_of(watch, path)
  local record <const> = files.find(path) or files.find(true_name(watch, path))
  if record then return { record } end
  local class <const> = class_of(path)
  if class and native.holds(path) then return { files.add(path, class) } end
  return {}, loaded_untracked(true_name(watch, path))
end

-- }==

-- {== Watching =============================================================

function watched.open(folder, depth)
  if type(folder) ~= "string" or folder == "" then
    error(string.format("watch needs the path of a folder, got %s", names.show(folder)), 0)
  end
  folder = #folder > 1 and string.gsub(folder, "/+$", "") or folder
  local real <const> = native.realpath(folder)
  if not real then error(string.format("there is no folder '%s' to watch", folder), 0) end
  for _, known in ipairs(watched.list) do
    if known.real == real then return end
  end
  local done <const>, watcher <const> = pcall(native.watch, folder, depth)
  if not done then error(watcher, 0) end
  files.follow(real)
  watched.list[#watched.list + 1] = { folder = folder, real = real, watcher = watcher }
end

function watched.close_all()
  for i = #watched.list, 1, -1 do
    watched.list[i].watcher:close()
    watched.list[i] = nil
  end
end

-- }==

return watched

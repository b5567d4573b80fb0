-- Checks a whole game without playing it: compiles every file, runs main.lua and the classes with the modules they
-- require, and reports all problems, not only the first.

local native <const> = ...
local callbacks <const> = native.use "spawnpool.callbacks"
local names <const> = native.use "spawnpool.names"

local checking <const> = {}

-- {== Reporting ============================================================

-- Splits the text of an error into "file:line" and message; the position may be missing.
local function placed(text, file)
  local first <const> = text:match "^[^\n]*"
  local own <const> = first:sub(1, #file) == file and first:sub(#file + 1) or nil
  local message <const> = own and own:match "^: (.*)" or own and not own:match "^:%d" and "the file" .. own or first
  return message:match "^[^\n]-:%d+: " and message or ("%s:1: %s"):format(file, message)
end

-- Reports each problem once, even if several files require the wrong one.
local function new_list()
  local seen <const> = {}
  local list <const> = {}
  function list.add(text, file)
    local problem <const> = placed(text, file)
    if not seen[problem] then list[#list + 1] = problem end
    seen[problem] = true
  end
  return list
end

-- }==

-- {== Checks ===============================================================

local function compile(path, list)
  local text <const>, why <const> = native.read(path)
  local chunk, wrong
  if text then chunk, wrong = native.compile(text, path) end
  if not chunk then list.add(wrong or why, path) end
  return chunk
end

-- The values of settings are the host's to check.
local function check_callbacks(game, path, list)
  for _, name in ipairs(callbacks.NAMES) do
    local value <const> = rawget(game, name)
    if value ~= nil and not callbacks.is_callable(value) then
      list.add(callbacks.wrong_type(path, name, value), path)
    end
  end
  callbacks.advise(game, path, native.warn)
end

-- Returns the table of main.lua, or nil.
local function check_main(path, list)
  local chunk <const> = compile(path, list)
  if not chunk then return nil end
  local done <const>, game <const> = native.protect(chunk)
  if not done then
    list.add(game, path)
  elseif type(game) ~= "table" then
    list.add(("%s:1: main.lua must return a table of callbacks (load, update, draw, ...), got %s"):format(path,
      type(game)), path)
  else
    check_callbacks(game, path, list)
    return game
  end
  return nil
end

-- Also creates the pool, so that all settings are read.
local function check_class(name, path, list)
  local pools <const> = native.loaded().spawnpool.pools
  local done <const>, wrong <const> = native.protect(pools.pool, pools, name)
  if not done then list.add(wrong, path) end
end

-- }==

-- Checks the game whose main file is `main`; `path` is its folder, nil when the game is that one file. Returns a list
-- of problems, the number of files, and the table of main.lua or nil.
function checking.run(path, main)
  local list <const> = new_list()
  local files, rest = {}, nil
  if path then files, rest = names.lua_files(path) end
  if rest then native.warn(("%s: %s; the rest is not checked"):format(path, rest)) end
  local game <const> = check_main(main, list)
  for _, file in ipairs(files) do
    local whole <const> = path .. "/" .. file
    local class <const> = file:match "^pools/([%w_%-]+)%.lua$"
    if whole ~= main and compile(whole, list) and class then check_class(class, whole, list) end
  end
  return list, path and #files or 1, game
end

return checking

-- Checks a whole game without playing it: compiles every file, runs main.lua and the classes with the modules they
-- require, and reports all problems, not only the first.

local native <const> = ...
local folder <const> = native.use "spawnpool.folder"
local names <const> = native.use "spawnpool.names"

local checking <const> = {}

local CALLBACKS <const> = {
  "draw", "key_pressed", "key_released", "load", "mouse_pressed", "mouse_released", "quit", "update",
}

-- {== Telling ==============================================================

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

-- {== Looking ==============================================================

local function compile(path, list)
  local text <const>, why <const> = native.read(path)
  local chunk, wrong
  if text then chunk, wrong = native.compile(text, path) end
  if not chunk then list.add(wrong or why, path) end
  return chunk
end

-- Further fields of main.lua's table, with their types.
local SETTINGS <const> = { pause_unfocused = "boolean" }

local function check_settings(game, path, list)
  for name, kind in pairs(SETTINGS) do
    local value <const> = rawget(game, name)
    if value ~= nil and type(value) ~= kind then
      list.add(("%s:1: the setting '%s' must be a %s, got a %s"):format(path, name, kind, type(value)), path)
    end
  end
  for _, name in ipairs(names.of(game)) do
    local near <const> = SETTINGS[name] == nil and names.nearest(name, names.of(SETTINGS))
    if near and type(rawget(game, name)) == SETTINGS[near] then
      native.warn(("%s: nothing reads '%s' (did you mean '%s'?)"):format(path, name, near))
    end
  end
end

local function check_callbacks(game, path, list)
  for _, name in ipairs(CALLBACKS) do
    local callback <const> = rawget(game, name)
    if callback ~= nil and type(callback) ~= "function" then
      list.add(("%s:1: the callback '%s' must be a function, got a %s"):format(path, name, type(callback)), path)
    end
  end
  for _, name in ipairs(names.of(game)) do
    local near <const>, edits <const> = names.nearest(name, CALLBACKS)
    if near and edits == 1 and #name > 3 and type(rawget(game, name)) == "function" then
      native.warn(("%s: nobody calls '%s' (did you mean '%s'?)"):format(path, name, near))
    end
  end
end

local function check_main(path, list)
  local chunk <const> = compile(path, list)
  if not chunk then return end
  local done <const>, game <const> = native.protect(chunk)
  if not done then
    list.add(game, path)
  elseif type(game) ~= "table" then
    list.add(("%s:1: main.lua must return a table of callbacks (load, update, draw, ...), got %s"):format(path,
      type(game)), path)
  else
    check_callbacks(game, path, list)
    check_settings(game, path, list)
  end
end

-- Also creates the pool, so that all settings are read.
local function check_class(name, path, list)
  local pools <const> = native.loaded().spawnpool.pools
  local done <const>, wrong <const> = native.protect(pools.pool, pools, name)
  if not done then list.add(wrong, path) end
end

-- }==

-- Checks the game whose main file is `main`; `path` is its folder, nil when the game is that one file. Returns a list
-- of problems and the number of files.
function checking.run(path, main)
  local list <const> = new_list()
  local files, rest = {}, nil
  if path then files, rest = folder.lua_files(path) end
  if rest then native.warn(("%s: %s; the rest is not checked"):format(path, rest)) end
  check_main(main, list)
  for _, file in ipairs(files) do
    local whole <const> = path .. "/" .. file
    local class <const> = file:match "^pools/([%w_%-]+)%.lua$"
    if whole ~= main and compile(whole, list) and class then check_class(class, whole, list) end
  end
  return list, path and #files or 1
end

return checking

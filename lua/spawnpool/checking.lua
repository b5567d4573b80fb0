-- Checks a whole game without playing it: compiles every file, runs main.lua and the classes with the modules they
-- require, and reports all problems, not only the first.

local native <const> = ...
local callbacks <const> = native.use "spawnpool.callbacks"
local names <const> = native.use "spawnpool.names"

local checking <const> = {}

-- {== Reporting ============================================================

-- Splits the text of an error into "file:line" and message; the position may be missing.
local function placed(text, file)
  local first <const> = string.match(text, "^[^\n]*")
  local own <const> = string.sub(first, 1, #file) == file and string.sub(first, #file + 1) or nil
  local message <const> = own and string.match(own, "^: (.*)")
    or own and not string.match(own, "^:%d") and "the file" .. own or first
  return string.match(message, "^[^\n]-:%d+: ") and message or string.format("%s:1: %s", file, message)
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
    list.add(string.format("%s:1: main.lua must return a table of callbacks (load, update, draw, ...), got %s", path,
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

-- {== Names of sprites and sounds ===========================================

local SHAPES <const> = { "circle", "ring", "spark", "square", "triangle" }

-- Of each kind its folder, the names that need no file, the endings of its files, and where the text of a game names
-- one. A name that is put together while the game runs is not checked.
local ASSETS <const> = {
  { what = "sprite", folder = "sprites", built_in = SHAPES, endings = { "%.glow%.png$", "%.png$" }, uses = {
    '%f[%w_]sprite%s*=%s*"([^"\n]*)"', ':sprite%s*%(?%s*"([^"\n]*)"', '%f[%w_]sheet%s*=%s*"([^"\n]*)"',
  } },
  { what = "sound", folder = "sounds", built_in = {}, endings = { "%.wav$", "%.ogg$" }, uses = {
    '%f[%w_]sound%s*=%s*"([^"\n]*)"', '%f[%w_]audio%.play%s*%(?%s*"([^"\n]*)"',
    '%f[%w_]audio%.music%s*%(?%s*"([^"\n]*)"', '%f[%w_]sound%s*=%s*%b{}',
  } },
}

-- Returns the names of the assets of a kind in the folder of the game.
local function asset_names(kind, folder)
  local list <const> = table.move(kind.built_in, 1, #kind.built_in, 1, {})
  for _, file in ipairs((native.list(folder .. "/" .. kind.folder)) or {}) do
    for _, ending in ipairs(kind.endings) do
      local stem <const>, count <const> = string.gsub(file, ending, "")
      if count > 0 then
        list[#list + 1] = stem
        break
      end
    end
  end
  table.sort(list)
  return list
end

-- Returns the text with blanks in place of comments, so that lines stay where they are.
local function without_comments(text)
  local function blank(comment) return (string.gsub(comment, "[^\n]", " ")) end
  return (string.gsub(string.gsub(text, "%-%-%[=*%[.-%]=*%]", blank), "%-%-[^\n]*", blank))
end

local function check_name(name, known, what, text, at, path, list)
  for _, other in ipairs(known) do
    if other == name then return end
  end
  local near <const> = names.nearest(name, known)
  local _, line <const> = string.gsub(string.sub(text, 1, at), "\n", "")
  list.add(string.format("%s:%d: there is no %s '%s'%s", path, line + 1, what, name,
    near and string.format(" (did you mean '%s'?)", near) or ""), path)
end

-- A table of sounds, { spawn = "a", recycle = "b" }, is a use of each.
local function check_assets(path, folder, list)
  local text <const> = without_comments(native.read(path) or "")
  for _, kind in ipairs(ASSETS) do
    local what <const>, known <const> = kind.what, asset_names(kind, folder)
    for _, use in ipairs(kind.uses) do
      local shown <const> = string.find(use, "%b{}", 1, true) and "(" .. use .. ")" or use
      for at, found, stop in string.gmatch(text, "()" .. shown .. "()") do
        local is_begun <const> = string.find(text, "^%s*%.%.", stop) -- and the rest of the name follows
        for name in string.gmatch(string.find(found, "{", 1, true) and found or '"' .. found .. '"', '"([^"\n]*)"') do
          if not is_begun then check_name(name, known, what, text, at, path, list) end
        end
      end
    end
  end
end

-- }==

-- Checks the game whose main file is `main`; `path` is its folder, nil when the game is that one file. Returns a list
-- of problems, the number of files, and the table of main.lua or nil.
function checking.run(path, main)
  local list <const> = new_list()
  local files, rest = {}, nil
  if path then files, rest = names.lua_files(path) end
  if rest then native.warn(string.format("%s: %s; the rest is not checked", path, rest)) end
  local game <const> = check_main(main, list)
  for _, file in ipairs(files) do
    local whole <const> = path .. "/" .. file
    local class <const> = string.match(file, "^pools/([%w_%-]+)%.lua$")
    if whole ~= main and compile(whole, list) and class then check_class(class, whole, list) end
  end
  local folder <const> = path or string.match(main, "^(.*)/[^/]*$") or "."
  for _, file in ipairs(path and files or { main }) do
    check_assets(path and path .. "/" .. file or file, folder, list)
  end
  return list, path and #files or 1, game
end

return checking

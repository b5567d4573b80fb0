-- Holds the `sh` blocks of pages against what there is: make's targets and variables, options and games of the player,
-- programs that something builds, files. Games of the tree are played as the line says, for some frames, in an empty
-- folder with a link to scripts/.
local host <const> = require "host"
local pages <const> = require "pages"

local BUILD <const>, read <const> = host.build, pages.read

-- Programs that readers have, or are told to install.
local known <const> = {}
for name in ([[mkdir cd cp cc c++ gcc clang pkg-config ffmpeg jq lua5.4 luarocks love apt apt-get git sh kill printf
  export aarch64-linux-gnu-gcc arm-linux-gnueabihf-gcc s390x-linux-gnu-gcc
  qemu-aarch64 qemu-arm qemu-s390x]]):gmatch "%S+" do
  known[name] = true
end

local function output(command)
  local _, out <const> = host.run(command)
  return out
end

local function exists(path)
  local file <close> = io.open(path)
  return file ~= nil
end

-- {== What there is =============================================================

local targets <const>, makefile = {}, read "Makefile"
for path in output "ls tests/*/*.mk":gmatch "%S+" do makefile = makefile .. read(path) end
for names in ("\n" .. makefile):gmatch "\n([%a][%w%- ]*):" do
  for name in names:gmatch "%S+" do targets[name] = true end
end

-- Of each option: whether a value follows.
local options <const> = { ["--"] = false }
for name, value in output(BUILD .. "/spawnpool --help"):gmatch "\n  (%-%-%l[%a-]*) ?([%u%[]?)" do
  options[name] = value ~= ""
end

-- }==

-- {== Lines into commands ========================================================

-- The words of a line, and "|" between commands; quotes are taken off, a comment ends it, `$(...)` is one word.
local function words_of(line)
  local words <const>, at = {}, 1
  while at <= #line do
    local blank <const> = line:match("^%s+", at)
    local word = ""
    at = at + #(blank or "")
    if line:find("^#", at) then break end
    local between <const> = line:match("^[|;&]+", at)
    if between then
      words[#words + 1], at = "|", at + #between
    else
      while at <= #line and not line:find("^[%s|;&]", at) do
        local part <const> = line:match("^%$%b()", at) or line:match("^'[^']*'", at) or line:match('^"[^"]*"', at)
          or line:sub(at, at)
        word, at = word .. (part:match "^['\"](.*)['\"]$" or part), at + #part
      end
      if word ~= "" then words[#words + 1] = word end
    end
  end
  return words
end

local function commands_of(line)
  local list <const> = { {} }
  for _, word in ipairs(words_of(line)) do
    if word == "|" then list[#list + 1] = {} else table.insert(list[#list], word) end
  end
  return list
end

-- }==

-- {== What can be typed ============================================================

local function check_make(words)
  for i = 2, #words do
    local name <const> = words[i]:match "^([%w_]+)="
    if name and not makefile:find("%f[%w_]" .. name .. "%f[^%w_]") then return "make has no variable " .. name end
    if not name and words[i]:find "^%a" and not targets[words[i]] then return "make has no target " .. words[i] end
  end
end

-- `made` has the names of files and folders that the page makes.
local function is_there(path, made)
  return exists(path) or made[path] or made[path:match "^[^/]+"]
end

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

-- The line with the path of this player, without a window, for some frames.
local function play(words)
  local parts <const> = {}
  local i = 2
  while i <= #words do
    if words[i] == "--frames" then i = i + 1 else parts[#parts + 1] = quoted(words[i]) end
    i = i + 1
  end
  local status <const>, out <const>, err <const> = host.run(
    ("cd %s && \"$OLDPWD\"/%s/spawnpool --headless --frames 12 %s"):format(quoted(host.folder), BUILD,
      table.concat(parts, " ")))
  if status ~= 0 then return "the player says: " .. out .. err end
end

local function check_player(words, made)
  local i, game = 2, nil
  if words[2] == "init" then
    made[words[3]], i = true, 4
  end
  while i <= #words and words[i] ~= "--" do
    local word <const> = words[i]:match "^(%-%-[^=]+)=" or words[i]
    if word:find "^%-%-" then
      if options[word] == nil then return "the player has no option " .. word end
      if options[word] and not words[i]:find "=" then i = i + 1 end
    elseif not is_there(word, made) then
      return "there is no " .. word
    else
      game = word
    end
    i = i + 1
  end
  if game and game:find "^scripts/" then return play(words) end
end

local function check_files(words, made)
  for _, word in ipairs(words) do
    for path in word:gmatch "[%w_./%-]+" do
      local top <const> = path:match "^(%l+)/"
      if top and ("src lua scripts tests demo docs"):find("%f[%l]" .. top .. "%f[%L]") and not is_there(path, made) then
        return "there is no " .. path
      end
    end
  end
end

local function check(words, made)
  while words[1] and (words[1]:find "^[%u_]+=" or words[1] == "sudo") do table.remove(words, 1) end
  local program <const> = words[1]
  if not program then return end
  if program == "make" then return check_make(words) end
  if program == "spawnpool" or program == "build/spawnpool" then return check_player(words, made) end
  if program == "mkdir" then
    for i = 2, #words do made[words[i]:match "^[^/]+"] = true end
  elseif program:find "^build/" then
    local file <const> = program:match "/[^/]+$"
    local pattern <const> = file:gsub("%-.*", "-%%") -- `$(BUILD)/fuzz-%` makes fuzz/fuzz-model, in a build of its own
    if not (makefile:find(file, 1, true) or makefile:find(pattern, 1, true)) then return "nothing makes " .. program end
  elseif not known[program] and not made[program:gsub("^%./", "")] then
    return "what is " .. program .. "?"
  end
  return check_files(words, made)
end

-- }==

-- {== Pages ===========================================================================

-- The files that the blocks of a page say they are: `-- rain/main.lua`, `/* host.c */`, and what a compiler writes.
local function files_of(text)
  local made <const> = {}
  for name in text:gmatch "\n```%a+[^\n]*\n[%-/*]+ ([%w_./%-]+)" do
    made[name], made[name:match "^[^/]+"] = true, true
  end
  for name in text:gmatch " %-o ([%w_./%-]+)" do made[name] = true end
  return made
end

-- Returns the command lines of a page that cannot be typed, a line each, and how many lines it has.
return function(page)
  local made <const>, wrong <const>, lines = files_of("\n" .. page.text), {}, 0
  for block in page:each "sh" do
    for line in block.code:gsub("\\\n", " "):gmatch "[^\n]+" do
      for _, words in ipairs(commands_of(line)) do
        local problem <const> = check(words, made)
        wrong[#wrong + 1] = problem and ("%s: %s: in: %s"):format(page.path, problem, line)
      end
      lines = lines + 1
    end
  end
  return wrong, lines
end

-- }==

-- Holds the `sh` blocks of pages against what there is: make's targets and variables, options and games of the player,
-- programs that something builds, files. Games of the tree are played as the line says, for some frames, in an empty
-- folder with a link to scripts/.
local host <const> = require "host"

-- Programs that readers have, or are told to install.
local known <const> = {}
for name in ([[mkdir cd cp cc gcc clang pkg-config jq lua5.4 luarocks export aarch64-linux-gnu-gcc
  arm-linux-gnueabihf-gcc s390x-linux-gnu-gcc qemu-aarch64 qemu-arm qemu-s390x]]):gmatch "%S+" do
  known[name] = true
end

local function output(command)
  local _, out <const> = host.run(command)
  return out
end

local makefile <const> = output "cat Makefile tests/*/*.mk"

-- Of each option of the player: whether a value follows.
local options <const> = { ["--"] = false }
for name, value in output(host.build .. "/spawnpool --help"):gmatch "\n  (%-%-%l[%a-]*) ?([%u%[]?)" do
  options[name] = value ~= ""
end

-- The commands of a line, a list of words each. Quotes are taken off, a comment ends the line, `$(...)` is one word.
local function commands_of(line)
  local list <const>, at = { {} }, 1
  while at <= #line do
    at = at + #line:match("^%s*", at)
    local between <const> = line:match("^[|;&]+", at)
    local word = ""
    if line:find("^#", at) then break end
    if between then list[#list + 1], at = {}, at + #between end
    while not between and at <= #line and not line:find("^[%s|;&]", at) do
      local part <const> = line:match("^%$%b()", at) or line:match("^'[^']*'", at) or line:match('^"[^"]*"', at)
        or line:sub(at, at)
      word, at = word .. (part:match "^['\"](.*)['\"]$" or part), at + #part
    end
    if word ~= "" then table.insert(list[#list], word) end
  end
  return list
end

-- `made` has the names of files and folders that the page makes.
local function is_there(path, made)
  local file <close> = io.open(path)
  return file ~= nil or made[path] or made[path:match "^[^/]+"]
end

local function check_make(words)
  for i = 2, #words do
    local name <const> = words[i]:match "^([%w_]+)="
    local pattern <const> = name and "%f[%w_]" .. name .. "%f[^%w_]"
      or "\n[%w%- ]*%f[%w-]" .. words[i]:gsub("%-", "%%-") .. "%f[^%w-][%w%- ]*:"
    if not ("\n" .. makefile):find(pattern) then return "make has no " .. words[i] end
  end
end

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local function check_player(words, made)
  if words[2] == "init" then made[words[3]] = true end
  local i, game, line = words[2] == "init" and 4 or 2, nil, {}
  while i <= #words and words[i] ~= "--" do
    local word <const> = words[i]
    if word:find "^%-%-" and options[word] == nil then return "the player has no option " .. word end
    if not word:find "^%-%-" and not is_there(word, made) then return "there is no " .. word end
    game = word:find "^scripts/" and word or game
    local size <const> = options[word] and 1 or 0
    if word ~= "--frames" then
      for k = i, i + size do line[#line + 1] = quoted(words[k]) end
    end
    i = i + size + 1
  end
  for k = i, #words do line[#line + 1] = quoted(words[k]) end
  if not game then return end
  local command <const> = [[cd %s && "$OLDPWD"/%s/spawnpool --headless --frames 12 %s]]
  local status <const>, out <const>, err <const> = host.run(command:format(quoted(host.folder), host.build,
    table.concat(line, " ")))
  if status ~= 0 then return "the player says: " .. out .. err end
end

local function check(words, made)
  while words[1] and words[1]:find "^[%u_]+=" do table.remove(words, 1) end
  local program <const> = words[1]
  if not program then return end
  if program == "make" then return check_make(words) end
  if program == "spawnpool" or program == "build/spawnpool" then return check_player(words, made) end
  if program == "mkdir" then
    for i = 2, #words do made[words[i]:match "^[^/]+"] = true end
  end
  if not known[program] and not made[program:gsub("^%./", "")] then return "what is " .. program .. "?" end
  for _, word in ipairs(words) do
    for path in word:gmatch "[%w_./%-]+" do
      local top <const> = path:match "^(%l+)/"
      if top and ("src lua scripts tests demo docs"):find("%f[%l]" .. top .. "%f[%L]") and not is_there(path, made) then
        return "there is no " .. path
      end
    end
  end
end

-- Returns the command lines of a page that cannot be typed, a line each, and how many lines it has.
return function(page)
  local made <const>, wrong <const>, lines = {}, {}, 0
  for name in ("\n" .. page.text):gmatch "\n```%a+[^\n]*\n[%-/*]+ ([%w_./%-]+)" do
    made[name], made[name:match "^[^/]+"] = true, true
  end
  for name in page.text:gmatch " %-o ([%w_./%-]+)" do made[name] = true end
  for _, block in ipairs(page.blocks) do
    for line in (block.language == "sh" and block.code:gsub("\\\n", " ") or ""):gmatch "[^\n]+" do
      for _, words in ipairs(commands_of(line)) do
        local problem <const> = check(words, made)
        wrong[#wrong + 1] = problem and ("%s: %s: in: %s"):format(page.path, problem, line)
      end
      lines = lines + 1
    end
  end
  return wrong, lines
end

-- Holds the `sh` blocks of pages against what there is: targets and variables of make, options of the player, files of
-- the tree. Games of the tree are played as the line says, for some frames, in an empty folder with a link to scripts/.
local host <const> = require "host"

local function output(command)
  local _, out <const> = host.run(command)
  return out
end

local makefile <const> = "\n" .. output "cat Makefile tests/*/*.mk"
local help <const> = output(host.build .. "/spawnpool --help")

local function make_lacks(words)
  for word in words:gsub("%s#.*", ""):gmatch "%s(%a[%w_-]*=?)" do
    local name <const> = word:match "^([%w_]+)="
    local pattern <const> = name and "%f[%w_]" .. name .. "%f[^%w_]"
      or "\n[%w%- ]*%f[%w-]" .. word:gsub("%-", "%%-") .. "%f[^%w-][%w%- ]*:"
    if not makefile:find(pattern) then return "make has no " .. word end
  end
end

-- The shell reads the rest of the line, as it does the reader's.
local function player_fails(arguments)
  for option in arguments:gsub("'[^']*'", ""):gmatch "%-%-%l[%a-]*" do
    if not help:find("\n  " .. option:gsub("%-", "%%-") .. "%f[^%a-]") then return "the player has no " .. option end
  end
  if not arguments:find " scripts/" then return end
  local command <const> = "cd '%s' && \"$OLDPWD\"/%s/spawnpool --headless --frames 12 %s"
  local status <const>, out <const>, err <const> = host.run(command:format(host.folder, host.build,
    (arguments:gsub("%-%-frames %d+", ""):gsub(" | .*", ""))))
  if status ~= 0 then return "the player says: " .. out .. err end
end

local function problem_of(line)
  for path in line:gmatch "%f[%w]%l+/[%w_./-]*[%w]" do
    local file <close> = io.open(path)
    local is_ours <const> = ("src/ lua/ scripts/ tests/ demo/ docs/"):find(path:match "^%l+/", 1, true)
    if is_ours and not file and not line:find("/" .. path, 1, true) then return "there is no " .. path end
  end
  local words <const>, arguments <const> = line:match "^make(.*)", line:match "^b?u?i?l?d?/?spawnpool( .*)"
  return words and make_lacks(words) or arguments and player_fails(arguments) or nil
end

-- Returns the command lines of a page that cannot be typed, a line each, and how many lines it has.
return function(page)
  local wrong <const>, lines = {}, 0
  for _, block in ipairs(page.blocks) do
    for line in (block.language == "sh" and block.code:gsub("\\\n", " ") or ""):gmatch "[^\n]+" do
      local problem <const> = problem_of(line)
      wrong[#wrong + 1] = problem and ("%s: %s: in: %s"):format(page.path, problem, line)
      lines = lines + 1
    end
  end
  return wrong, lines
end

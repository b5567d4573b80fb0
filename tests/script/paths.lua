-- Names that a game may give to its files, made at random from what the systems take for special: drives, other
-- computers, devices, streams, short names, "..", backslashes, other cases, bytes that are no text. Every file of the
-- game holds its own name, so what was read shows what was opened; what lies outside holds another word.
local spec <const> = require "spec"
local games <const> = require "games"

local WINDOWS <const> = package.config:sub(1, 1) == "\\"
local PATHS <const> = WINDOWS and 3000 or 10000

local function make()
  local g <const> = games.make { nil }
  for _, name in ipairs { "main.lua", "lib/part.lua", "lib/deep/leaf.lua", "a longer name.lua", "\xc3\xbc.lua" } do
    g:write("game/" .. name, "return 'in:" .. name .. "'")
  end
  for _, name in ipairs { "secret.lua", "outside/secret.lua", "outside/part.lua", "outside/lib/part.lua",
    "game2/part.lua" } do
    g:write(name, "OUT = true")
  end
  local linked <const> = spec.link("lib", g:path "game/link_in") and spec.link("../outside", g:path "game/link_out")
  return g, linked
end

-- {== The generator ===========================================================

local function words(text)
  local list <const> = {}
  for word in (text .. ";"):gmatch "(.-);" do list[#list + 1] = word end
  return list
end

local PLAIN <const> = words "lib;part.lua;deep;leaf.lua;main.lua;a longer name.lua;game;..;.;link_in;\xc3\xbc.lua"
local STRANGE <const> = words("..;..;..;...;;....;;outside;secret.lua;game2;link_out;ALONGE~1.LUA;GAME~1;OUTSID~1; ;" ..
  "con;nul;aux;prn;com1;LPT9;conin$;CONOUT$;clock$;com\xc2\xb2;C:;c:;Z:;C:part.lua;Windows;win.ini;etc;passwd;proc;" ..
  "self;root;dev;fd;pipe;server;share;C$;localhost;127.0.0.1;GLOBALROOT;Device;PhysicalDrive0;?;*;p?rt.lua;part.l*;" ..
  "part.lu<;\"part.lua\";%2e%2e;\xc0\xae\xc0\xae;\xef\xbc\x8e\xef\xbc\x8e;\xe2\x80\xa5;\xff\xfe;\xed\xa0\x80;~;" ..
  "~root;$HOME;%TEMP%;desktop.ini:x;PART.LUA;Lib;u\xcc\x88.lua;\x01;\x7f;|;>;part.lua.;part.lua ;lib ;con.lua;" ..
  "prn.x.lua;nul .lua;lib\\part.lua;..\\outside/secret.lua;lib\\..\\..\\outside\\secret.lua")
local ENDS <const> = words ".; ;..;. ;:x;::$DATA;:$I30:$INDEX_ALLOCATION;.lua;.txt;.lua ;\t;/;\\;\\.;/."
local HEADS <const> = words("/;\\;//;\\\\;C:/;C:\\;Z:/;C:;\\\\?\\;//?/;//?/C:/;\\\\.\\;//./;//./pipe/;\\??\\;" ..
  "/??/C:/;\\\\?\\UNC\\localhost\\;//server/share/;/Windows/win.ini/../../;file:///;/proc/self/root/;" ..
  "/proc/self/cwd/;/dev/fd/;./;../;..\\")
local SEPARATORS <const> = words "/;/;/;/;/;\\;//;/./;\\\\;/\\;/../"

local random <const> = math.random

local function pick(list) return list[random(#list)] end

-- A component as it is, or with an end, in another case, or far too long.
local function component(is_odd)
  local name = pick(is_odd(10) and STRANGE or PLAIN)
  if is_odd(12) then name = name .. pick(ENDS) end
  if is_odd(20) then name = name:gsub("%a", pick { string.upper, string.lower }) end
  if is_odd(400) then name = name .. ("a"):rep(random(200, 4200)) end
  return name
end

local function generate(folder)
  local oddness <const> = random(0, 5)
  local function is_odd(sides) return random(0, sides - 1) < oddness end
  local path = random(3) > 1 and folder .. (is_odd(8) and pick(SEPARATORS) or "/") or ""
  if is_odd(8) then path = path .. pick(HEADS) end
  if path ~= "" and random(10) > 1 then path = path .. "game/" end
  for i = 1, random(6) do
    if i > 1 then path = path .. (is_odd(8) and pick(SEPARATORS) or "/") end
    path = path .. component(is_odd)
  end
  return path
end

-- }==

-- The text names each part of the file that was opened as it is spelled: no other case, no short name, no stream. A
-- link stands for the folder that it leads to.
local function is_spelled(path, name, linked)
  for part in name:gmatch "[^/]+" do
    local by_link <const> = linked and part == "lib" and path:find("/link_in", 1, true)
    if not path:find("/" .. part, 1, true) and not by_link then return false end
  end
  return path:find "%.lua$" ~= nil
end

spec.test("what is opened lies in the game and has that name", function()
  local g <const>, linked <const> = make()
  local folder <const>, game <const> = g:path(""):sub(1, -2), g:path "game"
  local opened, listed = 0, 0
  math.randomseed(7)
  for _ = 1, PATHS do
    local path <const> = generate(folder)
    local text <const>, list <const> = games.read(game, path), games.list(game, path)
    if text then
      local name <const> = text:match "^return 'in:(.*)'$"
      spec.equal(name and is_spelled(path, name, linked) and games.holds(game, path) and not list, true, path)
      opened = opened + 1
    elseif list then
      for _, name in ipairs { "secret.lua", "outside", "win.ini", "passwd", "game" } do
        spec.equal(list:find("/" .. name .. "/", 1, true), nil, path)
      end
      listed = listed + 1
    end
  end
  spec.equal(opened > PATHS / 100 and listed > PATHS / 100, true)
end)

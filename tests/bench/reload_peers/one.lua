-- One scenario with one reloader, in a process of its own: lua5.4 one.lua RELOADER NUMBER. Prints "yes", or "no" and
-- what was wrong. The first argument alone: can this reloader be had here?
package.path = "tests/lua/?.lua;" .. package.path

local kit <const> = require "reload_kit"
local scenarios <const> = require "reload_scenarios"

local reloader <const> = assert(kit.reloaders[arg[1]])
local number <const> = tonumber(arg[2])
if not number then os.exit(true) end

local ok <const>, message <const> = pcall(kit.play, scenarios[number], reloader)
print(ok and "yes" or "no " .. tostring(message):match "[^\n]*")

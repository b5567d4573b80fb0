-- Random projects, edited while they run: lua5.4 tests/fuzz/reload_projects.lua [edits] [seed]
-- reload_oracle.lua says what must hold after each edit. A case that fails is made shorter and printed as a script:
--   lua5.4 tests/fuzz/reload_projects.lua FILE      plays such a script again
--   lua5.4 tests/fuzz/reload_projects.lua 1 SEED    plays the project of one seed again
-- `KEEP=1` goes on after a failure, and tells how many of each kind there are.
package.path = "tests/lua/?.lua;" .. package.path
require "spawnpool"
local reload <const> = require "spawnpool.reload"
local cases <const> = require "reload_case"
local play <const> = require "reload_play"

io.stdout:setvbuf "line"

local function play_file(path)
  local case <const> = assert(loadfile(path))()
  local failure <const> = cases.play(case, reload)
  print(failure and ("step %d of %d: %s"):format(failure.step, #case.steps, failure.text) or "passed")
  os.exit(failure == nil)
end

local function tell(seed, failure, case)
  local short <const> = os.getenv "SHRINK" ~= "0" and play.shrink(case, failure, reload) or case
  local again <const> = cases.play(short, reload) or failure
  print(("-- seed %d: %s\n%s"):format(seed, again.text, play.script(short)))
end

local function play_seeds(edits, seed)
  local total <const>, failures = { ok = 0, refused = 0 }, 0
  local kinds <const> = {}
  while total.ok + total.refused < edits do
    local count <const>, failure <const>, case <const> = play.random(seed, reload)
    total.ok, total.refused = total.ok + count.ok, total.refused + count.refused
    if failure then
      failures = failures + 1
      kinds[failure.kind] = (kinds[failure.kind] or 0) + 1
      if os.getenv "KEEP" then
        print(("seed %d: %s"):format(seed, failure.text))
      else
        tell(seed, failure, case)
        print(("again with: lua5.4 tests/fuzz/reload_projects.lua 1 %d"):format(seed))
        os.exit(1)
      end
    end
    seed = seed + 1
  end
  for kind, count in pairs(kinds) do print(("%6d %s"):format(count, kind)) end
  print(("%d edits went through, %d were refused; %d failures"):format(total.ok, total.refused, failures))
  os.exit(failures == 0)
end

if arg[1] and not tonumber(arg[1]) then play_file(arg[1]) end
play_seeds(tonumber(arg[1]) or 2000, tonumber(arg[2]) or 1)

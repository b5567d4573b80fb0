-- Prints the command lines that luarocks would run for a rockspec, one for each step:
-- `lua rock.lua FILE VARIABLE=VALUE...`. A rockspec is a list of globals.
local file <const> = assert(arg[1])
local rock <const>, given <const> = {}, {}
assert(loadfile(file, "t", rock))()
for i = 2, #arg do
  local name <const>, value <const> = arg[i]:match "^([%w_]+)=(.*)$"
  given[assert(name)] = value
end

assert(file:match "[^/]+$" == ("%s-%s.rockspec"):format(rock.package, rock.version), "its name is not that of the rock")
assert(rock.source.dir == "spawnpool-" .. rock.version:match "^(.*)%-%d+$")
assert(rock.source.url == rock.source.dir .. ".tar.gz")
assert(rock.build.type == "make")

local function print_step(target, variables)
  local words <const> = {}
  for name, value in pairs(variables) do
    words[#words + 1] = ("%s='%s'"):format(name, value:gsub("%$%(([%w_]+)%)", function(variable)
      return assert(given[variable], variable .. " is not one of luarocks")
    end))
  end
  table.sort(words)
  print(("make -s %s %s"):format(target, table.concat(words, " ")))
end

print_step(rock.build.build_target, rock.build.build_variables)
print_step(rock.build.install_target, rock.build.install_variables)

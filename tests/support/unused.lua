-- Prints each tracked file that nothing uses: no wildcard finds it, and no other tracked file names it.

-- Found by the Makefile, the runner of the tests, the player or a tool, by folder and form of the name.
local found <const> = {
  "^[^/]+$", "^%.ci/run$", "%.clang%-tidy$", "^src/.*%.c$", "^demo/%l+/[^/]+%.c$", "^demo/math/musl/[^/]+%.c$",
  "^demo/newgame/",
  "/main%.lua$", "/pools/%u%w+%.lua$", "/recordings/[%w-]+%.input$",
  "^tests/[^/]+/[%w_]+%.c$", "^tests/lua/spec_[%w_]+%.lua$", "^tests/demo/player/%l+%.lua$", "^tests/slow/[%l_]+%.lua$",
  "^tests/fuzz/corpus/", "^tests/fuzz/alone/",
  "^tests/%l+/%l+%.mk$", "^demo/%l+/%l+%.mk$", "^tests/bench/core/%l+%.cpp$", "/%.npmrc$",
}

local function lines(command)
  local out <const> = {}
  local pipe <close> = assert(io.popen(command))
  for line in pipe:lines() do out[#out + 1] = line end
  return out
end

-- The names in a text -> the files that have them: words with dots and dashes, strings with their quotes. A recording
-- has the texts of its game, so it would name all of them.
local users <const> = setmetatable({}, { __index = function(all, name)
  all[name] = {}
  return all[name]
end })

local files <const> = lines "git ls-files"
for _, path in ipairs(files) do
  local file <close> = not path:find "%.input$" and io.open(path) or nil
  local text <const> = file and file:read "a" or ""
  for word in text:gmatch "[%w_.-]+" do users[word:gsub("%.$", "")][path] = true end
  for word in text:gmatch "[\"']([%w_.-]+)[\"']" do users['"' .. word .. '"'][path] = true end
end

local function is_named(path, name, folder)
  for user in next, users[name] do
    if user ~= path and user:find(folder or "", 1, true) == 1 then return true end
  end
  return false
end

local function is_used(path)
  for _, form in ipairs(found) do
    if path:find(form) then return true end
  end
  local name <const> = path:match "[^/]+$"
  local stem <const> = name:match "^%.?[^.]+"
  return is_named(path, name) or is_named(path, "spawnpool." .. stem) or is_named(path, '"' .. stem .. '"',
    path:match "^scripts/[^/]+/" or "tests/")
    or is_named(path, '"' .. stem:gsub("%d+$", "") .. '"', path:match "^scripts/[^/]+/") -- one of a numbered row
end

for _, path in ipairs(files) do
  if not is_used(path) then print(path) end
end

-- The folder of a stranger's game holds links, pipes and files without end where the player reads and writes for a
-- person. Nothing outside is changed or read, and nothing waits.

local GAME <const> = "return { update = function() end }"
local LINK <const> = " is a link"

local function test_here(name, fn)
  test(name, function()
    if can("mkfifo pipe && ln -s pipe link && rm pipe link", "no pipes or links here") then fn() end
  end)
end

-- Records a second of the game to r.input, beside its folder.
local function record() run { main = GAME, args = "--frames 60 --record-input r.input" } end

test_here("a folder of recordings that is a link is not played, and what it leads to is not replaced", function()
  record()
  sh [[mkdir outside && sed 's/"hash":"[0-9a-f]*"/"hash":"0"/' r.input >outside/a.input && cp outside/a.input kept &&
    ln -s ../outside game/recordings]]
  run { sh = "spawnpool --check --accept game", out = false }
  sh "cmp kept outside/a.input && [ $(ls outside | wc -l) = 1 ]"
end)

test_here("a recording is accepted into a new file, also where a link has its name", function()
  record()
  sh [[mkdir game/recordings && sed 's/"hash":"[0-9a-f]*"/"hash":"0"/' r.input >game/recordings/a.input &&
    echo precious >victim && ln -s ../../victim game/recordings/a.input.new]]
  run { { sh = "spawnpool --check --accept game", out = { "a.input: accepted" } },
    { sh = "spawnpool --check game", out = { "a.input: as before" } } }
  equal(sh "cat victim; ls game/recordings", "precious\na.input\n")
end)

test_here("pipes are no recordings", function()
  save("main.lua", GAME)
  sh "mkdir game/recordings && mkfifo game/recordings/a.input alone"
  local why <const> = "it is a pipe, not a file"
  run { { sh = "spawnpool --check game", status = 1, out = { why }, err = false },
    { args = "--replay alone", status = 2, out = "", err = { why } } }
  sh "rm -r game/recordings && mkfifo game/recording.input"
  run { status = 2, out = "", err = { why } }
end)

test_here("a file without end is not read for the name of a recording", function()
  save("main.lua", GAME)
  if can("truncate -s 300G game/z.lua", "no sparse files here") then
    run { args = "--record-input r.input" }
  end
end)

test("a recording whose frames leap has no line of that kind", function()
  record()
  sh [[mkdir game/recordings && sed '/"kind":"end"/s/"frame":[0-9]*/"frame":1099511627776/' r.input \
    >game/recordings/a.input]]
  run { sh = "spawnpool --check game", status = 1, err = false,
    out = { "a.input: ", "more than a day after that of the line before" } }
end)

test_here("what is packed goes through no link of the game", function()
  save("main.lua", GAME)
  sh "mkdir far && ln -s ../far game/dist"
  run { sh = "cd game && spawnpool pack --for zip .", status = 2, out = "", err = { "dist" .. LINK, "--out" } }
  sh "rm game/dist && mkdir made && echo precious >far/kept && ln -s ../far/kept made/game.zip"
  run { sh = "spawnpool pack --for zip --out made game", out = false }
  equal(sh "ls far; cat far/kept; [ -h made/game.zip ] || echo replaced", "kept\nprecious\nreplaced\n")
end)

test_here("a terminal gets no control characters of names", function()
  if not can("script -qec true /dev/null", "no terminal can be made here") then return end
  record()
  sh [[mkdir game/recordings && cp r.input "game/recordings/$(printf '\a')bad.input" &&
    echo x >"game/$(printf '\033[2J')bad.txt"]]
  for _, command in ipairs { "--check game", "pack --for zip --out out game" } do
    local got <const> = run { sh = ("script -qec 'spawnpool %s' /dev/null"):format(command), out = { "bad" } }
    expect(not got.out:find "[\a\27]", command)
  end
end)

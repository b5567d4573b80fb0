-- The second wall, with the first one taken down on purpose: a build of the player whose games get all of Lua, and a
-- library in C besides (tests/demo/breakout). What they try is refused by the system; what the player does for a person
-- goes on.
local player <const> = require "player"
local spec <const> = require "spec"
local host <const> = require "host"

local test <const>, run <const>, sh <const> = player.test, player.run, player.sh

-- {== What a game that broke out cannot do =======================================

-- `refused(name, ok)` and `fine(name, ok)` say what came through that must not, and the reverse. `dir` is the game's
-- folder, `out` the one that it lies in.
local HEAD <const> = [[local wrong = 0
  local function try(name, refused, ok, why)
    if not ok ~= refused then wrong = wrong + 1 print('WRONG', name, ok, why) end
  end
  local function refused(name, ...) try(name, true, ...) end
  local function fine(name, ...) try(name, false, ...) end
  local function read(path) local f, why = io.open(path) return f and f:read 'a', why end
  return { load = function(args)
    local dir, out = args[1], args[2]
    package.cpath = dir .. '/?.so'
  ]]

local UNWALLED <const> = "$SP_BUILD/spawnpool-unwalled --headless --frames 2 %s game -- $PWD/game $PWD"

local function attack(body, options, env)
  player.save("own.txt", "own\n")
  player.save("/secret.txt", "secret\n")
  sh "cp $SP_BUILD/breakout.so game"
  return run { main = HEAD .. body .. " print('tried', wrong) end }",
    sh = (env or "") .. UNWALLED:format(options or ""), out = { "tried\t0\n" }, lacks = "WRONG",
    err = false }.out
end

-- A test of both walls, where they stand on this machine; not with a tool whose name has this pattern.
local function test_held(name, fn, unless)
  test(name, function()
    if unless and host.tool:find(unless) then return end
    if player.can("! spawnpool --version | grep 'sandbox:.* no '", "no Landlock or no seccomp here") then fn() end
  end)
end

-- The checker of leaks reads the environment.
test_held("all of Lua runs no program and reads nothing outside", function()
  local asan <const> = host.tool == "asan"
  attack(([[refused('execute', os.execute('true > ' .. out .. '/made'))
    refused('shell', os.execute())
    refused('popen', pcall(io.popen, 'id') and io.popen('id'))
    if not %s then refused('environ', read '/proc/self/environ') end
    for _, path in ipairs { '/etc/passwd', '/etc/hostname', '/proc/self/mem', '/proc/1/status', '/root/.bashrc',
      out .. '/secret.txt', dir .. '/../secret.txt', '/dev/mem', '/tmp/..', '/usr/bin/env' } do
      refused('read ' .. path, read(path))
    end
    for _, path in ipairs { out .. '/new', dir .. '/new', out .. '/secret.txt', dir .. '/own.txt', '/tmp/sp-new',
      '/dev/null', '/dev/tty' } do
      for _, mode in ipairs { 'w', 'a', 'r+' } do refused(mode .. path, io.open(path, mode)) end
    end
    refused('remove', os.remove(out .. '/secret.txt'))
    refused('remove own', os.remove(dir .. '/own.txt'))
    refused('rename', os.rename(out .. '/secret.txt', dir .. '/mine'))
    refused('rename own', os.rename(dir .. '/own.txt', out .. '/yours'))
    refused('tmpname', pcall(os.tmpname))
    fine('own', read(dir .. '/own.txt') == 'own\n')]]):format(asan))
  spec.equal(sh "ls . game; cat secret.txt", ".:\ngame\nsecret.txt\n\ngame:\nbreakout.so\nmain.lua\nown.txt\nsecret\n")
end)

test_held("code in C does no more", function()
  attack [[local b = require 'breakout'
    local function denied(name, ok, why) refused(name, ok or (why ~= 'EPERM' and why ~= 'ENOSYS'), why) end
    for _, name in ipairs { 'exec', 'exec_memory', 'spawn', 'fork', 'clone', 'socket_pair', 'trace', 'read_parent',
      'write_parent', 'signal_parent', 'signal_group', 'type_text', 'type_wide', 'enter_32', 'enter_x32' } do
      denied(name, b[name]())
    end
    for _, name in ipairs { 'bpf', 'keyctl', 'add_key', 'userfaultfd', 'io_uring_setup', 'perf_event_open', 'mount',
      'umount2', 'pivot_root', 'chroot', 'open_tree', 'fsopen', 'mount_setattr', 'unshare', 'setns', 'init_module',
      'finit_module', 'kexec_load', 'reboot', 'personality', 'pidfd_open', 'pidfd_getfd', 'setuid', 'setgroups',
      'capset', 'open_by_handle_at', 'fanotify_init', 'msgget', 'clone3', 'newer' } do
      denied(name, b.call(name, 0, 0, 0))
    end
    for family = 0, 45 do for kind = 1, 5 do refused('socket', b.socket(family, kind)) end end
    for _, path in ipairs { '/etc/passwd', '/proc/self/mem', '/proc/self/root/etc/passwd', out .. '/secret.txt' } do
      refused(path, b.open_read(path))
    end
    for _, path in ipairs { dir .. '/own.txt', dir .. '/new', out .. '/new', '/tmp/sp-new', '/proc/self/mem',
      '/proc/self/oom_score_adj' } do refused(path, b.open_write(path)) end
    local path, HERE = dir .. '/own.txt', -100
    refused('chmod', b.call('fchmodat', HERE, path, 511))
    refused('chown', b.call('fchownat', HERE, path, 1, 1, 0))
    refused('utime', b.call('utimensat', HERE, path, 0, 0))
    refused('truncate', b.call('truncate', path, 0))
    refused('link', b.call('linkat', HERE, path, HERE, dir .. '/linked', 0))
    refused('symlink', b.call('symlinkat', '/etc', HERE, dir .. '/linked'))
    refused('mkdir', b.call('mkdirat', HERE, dir .. '/made', 511))
    fine('thread', b.thread()) fine('executable memory', b.make_executable())
    fine('signal to itself', b.signal_self()) fine('own', b.open_read(path))]]
end, "^asan$")

-- What a graphics driver started before the wall is behind it all the same.
test_held("threads that are older do no more", function()
  for _, option in ipairs { "", "--trust" } do
    local out <const> = attack("print(require('breakout').other_threads())", option,
      "BREAKOUT_THREAD=1 LD_PRELOAD=$SP_BUILD/breakout.so ")
    local reached <const>, opened <const> = out:match "^(%d+)\t(%d+)\ntried"
    player.expect(tonumber(reached) > 0 and (opened == "0") == (option == ""), out)
  end
end, ".")

-- The same attempts come through where both walls are down: they are no empty words.
test("trust takes both walls down", function()
  if not player.can("test -e $SP_BUILD/breakout.so", "no library that breaks out") then return end
  attack([[fine('execute', os.execute('true'))
    fine('read', read('/etc/passwd'))
    fine('write', io.open(out .. '/new', 'w'))
    local b = require 'breakout'
    for _, name in ipairs { 'fork', 'spawn', 'clone', 'socket_pair', 'signal_parent', 'signal_group' } do
      fine(name, b[name]())
    end
    fine('socket', b.socket(1, 1))]], "--trust")
end)

-- Nor does --check, which runs main.lua and classes.
test_held("a game that is only looked over is walled too", function()
  run { main = "print(os.execute 'true', (io.open '/etc/passwd'), io.open '/etc/passwd') return {}",
    sh = "$SP_BUILD/spawnpool-unwalled --check game", out = { "nil\t", "Permission denied" }, lacks = "file (",
    err = false }
end)

-- }==

-- {== What is said ===============================================================

for _, row in ipairs { { "ENOSYS", "landlock" }, { "EOPNOTSUPP", "landlock" }, { "ENOSYS", "seccomp" },
  { "ENOSYS", "landlock", "seccomp" } } do
  local names <const> = { landlock = "Landlock %d+", seccomp = "seccomp" }
  test_held("a kernel without is told in one line: " .. table.concat(row, " "), function()
    for i = 2, #row do
      names[row[i]] = "no " .. names[row[i]]:match "%a+" .. " %(not in this kernel%)"
      player.expect(host.refuse_call(row[i], row[1]))
    end
    local lacking <const> = names.landlock .. ", " .. names.seccomp
    local version <const> = run { sh = "spawnpool --version" }.out
    player.expect(version:find("sandbox: " .. lacking .. "%)\n$"), version)
    local main <const> = "return { load = function() print 'plays' end }"
    run { main = main, args = "--screenshot shot.png", out = "plays\n" }
    local told <const> = run { sh = "spawnpool --headless --frames 9 game 2>&1" }.out -- else left out: see process.c
    local line <const> = "^spawnpool: the second wall of the sandbox is not whole: " .. lacking .. "[^\n]*\nplays\n$"
    player.expect(told:find(line), told)
    run { args = "--trust", out = "plays\n" }
  end)
end

-- }==

-- A picture that was there is not lost, and the current folder gets no other file.
test("pictures are written where the command line says", function()
  sh "cd game && echo old >shot.png"
  player.save("main.lua", "return {}")
  sh "cd game && spawnpool --headless --frames 9 --screenshot shot.png --record film.png ."
  spec.equal(sh "cd game && ls && head -c 4 shot.png | tail -c 3 && head -c 4 film.png | tail -c 3",
    "film.png\nmain.lua\nshot.png\nPNGPNG")
end)

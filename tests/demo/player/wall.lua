-- The second wall, with the first one taken down on purpose: a build of the player whose games get all of Lua, and a
-- library in C besides (tests/demo/breakout). What they try is refused by the system; what the player does for a person
-- goes on.

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

local function attack(body, options, env, more)
  save("own.txt", "own\n")
  save("/secret.txt", "secret\n")
  sh "cp $SP_BUILD/breakout.so game"
  return run { main = HEAD .. body .. " print('tried', wrong) end }",
    sh = (env or "") .. UNWALLED:format(options or "") .. " " .. (more or ""), out = { "tried\t0\n" }, lacks = "WRONG",
    err = false }.out
end

-- A test of both walls, where they stand on this machine; not with a tool whose name has this pattern.
local function test_held(name, fn, unless)
  test(name, function()
    if unless and host.tool:find(unless) then return end
    if can("! spawnpool --version | grep 'sandbox:.* no '", "no Landlock or no seccomp here") then fn() end
  end)
end

-- The checker of leaks reads the environment.
test_held("all of Lua runs no program and reads nothing outside", function()
  local asan <const> = host.tool == "asan"
  attack(([[refused('execute', os.execute('true > ' .. out .. '/made'))
    refused('shell', os.execute())
    refused('popen', pcall(io.popen, 'id') and io.popen('id'))
    if not %s then refused('environ', read '/proc/self/environ') end
    for _, path in ipairs { '/etc/passwd', '/proc/self/mem', '/proc/1/status', '/root/.bashrc', '/dev/mem',
      '/usr/bin/env', out .. '/secret.txt', dir .. '/../secret.txt' } do
      refused('read ' .. path, read(path))
    end
    for _, path in ipairs { out .. '/new', dir .. '/new', dir .. '/own.txt', '/tmp/sp-new', '/dev/null' } do
      for _, mode in ipairs { 'w', 'a', 'r+' } do refused(mode .. path, io.open(path, mode)) end
    end
    refused('remove', os.remove(out .. '/secret.txt'))
    refused('remove own', os.remove(dir .. '/own.txt'))
    refused('rename', os.rename(out .. '/secret.txt', dir .. '/mine'))
    refused('rename own', os.rename(dir .. '/own.txt', out .. '/yours'))
    refused('tmpname', pcall(os.tmpname))
    fine('own', read(dir .. '/own.txt') == 'own\n')]]):format(asan))
  equal(sh "ls . game; cat secret.txt", ".:\ngame\nsecret.txt\n\ngame:\nbreakout.so\nmain.lua\nown.txt\nsecret\n")
end)

-- Every call is named; what is refused by its arguments has rows of them, harmless if they came through.
test_held("code in C does no more", function()
  attack [[local b, HERE, path = require 'breakout', -100, dir .. '/own.txt'
    local parent = b.call 'getppid'
    local function denied(name, ok, why)
      refused(name, ok or why ~= 'EPERM' and why ~= 'ENOSYS', why)
    end
    denied('fork', b.fork())
    denied('enter_32', b.enter_32())
    for _, name in ipairs { 'bpf', 'keyctl', 'add_key', 'userfaultfd', 'io_uring_setup', 'perf_event_open', 'mount',
      'umount2', 'pivot_root', 'chroot', 'open_tree', 'fsopen', 'mount_setattr', 'unshare', 'setns', 'init_module',
      'finit_module', 'kexec_load', 'reboot', 'personality', 'pidfd_open', 'pidfd_getfd', 'open_by_handle_at',
      'fanotify_init', 'msgget', 'clone3', 452, 599, 0x40000000 + 39, 'setpriority', 'ioprio_set', 'sched_setscheduler',
      'sched_setparam', 'sched_setattr', 'sched_setaffinity', 'shmget', 'shmat', 'shmctl', 'msgsnd', 'msgrcv', 'msgctl',
      'semop', 'semctl', 'inotify_init1', 'inotify_add_watch', 'umask' } do
      denied(name, b.call(name, 0, 0, 0))
    end
    for _, row in ipairs {
      { 'execve', '/bin/true', 0, 0 },
      { 'execveat', HERE, '/bin/true', 0, 0, 0 },
      { 'clone', 17, 0, 0, 0, 0 }, -- SIGCHLD
      { 'vfork' },
      { 'socketpair', 1, 1, 0, ('\0'):rep(8) },
      { 'ptrace', 16, parent, 0, 0 }, -- PTRACE_ATTACH
      { 'process_vm_readv', parent, 0, 0, 0, 0, 0 },
      { 'process_vm_writev', parent, 0, 0, 0, 0, 0 },
      { 'kill', parent, 0 },
      { 'kill', 0, 0 },
      { 'ioctl', 0, 0x5412, 'x' }, -- TIOCSTI; the upper bits are not the kernel's
      { 'ioctl', 0, 0x5412 | 1 << 40, 'x' },
      { 'ioctl', 0, 0x8901, 0 }, -- signals that the kernel sends: FIOSETOWN, SIOCSPGRP
      { 'ioctl', 0, 0x8902, 0 },
      { 'ioctl', 0, 0x5423, 0 }, -- TIOCSETD, TIOCLINUX
      { 'ioctl', 0, 0x541C, 0 },
      { 'fcntl', 0, 8, 1 }, -- F_SETOWN, F_SETOWN_EX, F_SETSIG
      { 'fcntl', 0, 8 | 1 << 40, 1 },
      { 'fcntl', 0, 15, 0 },
      { 'fcntl', 0, 10, 0 },
      { 'setpriority', 2, 0, 0 }, -- of all processes of the user
      { 'prlimit64', 1, 7, 0, 0 } } do
      denied(row[1] .. ' ' .. tostring(row[3]), b.call(table.unpack(row)))
    end
    for family = 0, 45 do for kind = 1, 5 do refused('socket', b.call('socket', family, kind, 0)) end end
    for _, path in ipairs { '/etc/passwd', '/proc/self/mem', '/proc/self/root/etc/passwd', out .. '/secret.txt' } do
      refused(path, b.call('openat', HERE, path, 0))
    end
    for _, path in ipairs { path, dir .. '/new', out .. '/new', '/tmp/sp-new', '/proc/self/mem',
      '/proc/self/oom_score_adj' } do refused(path, b.call('openat', HERE, path, 65, 384)) end -- O_WRONLY, O_CREAT
    for _, row in ipairs {
      { 'fchmodat', HERE, path, 511 }, { 'fchownat', HERE, path, 1, 1, 0 }, { 'utimensat', HERE, path, 0, 0 },
      { 'truncate', path, 0 }, { 'linkat', HERE, path, HERE, dir .. '/linked', 0 },
      { 'symlinkat', '/etc', HERE, dir .. '/linked' }, { 'mkdirat', HERE, dir .. '/made', 511 } } do
      refused(row[1], b.call(table.unpack(row)))
    end
    fine('thread', b.thread())
    local page = b.call('mmap', 0, 4096, 3, 0x22, -1, 0)
    fine('executable memory', b.call('mprotect', page, 4096, 5)) -- a compiler in a graphics driver does so
    fine('signal to itself', b.call('kill', b.call 'getpid', 0)) fine('own', b.call('openat', HERE, path, 0))
    fine('descriptor', b.call('fcntl', 0, 3)) fine('own limits', b.call('prlimit64', 0, 7, 0, 0))]]
end, "^asan$")

-- `args[3]`: the folder for the game's data, which an earlier run has made.
test_held("in the folder for data lie plain files only", function()
  run { main = "require('spawnpool').storage.save('a', 1) return {}",
    sh = "XDG_DATA_HOME=$PWD/data spawnpool --headless --frames 1 game" }
  attack([[local b, HERE = require 'breakout', -100
    local data, parent = args[3], out .. '/data/spawnpool'
    local function open(path, mode, flags) return b.call('openat', HERE, path, flags or 65, mode or 384) end
    fine('plain', open(data .. '/.plain'))
    fine('replaced', b.call('renameat', HERE, data .. '/.plain', HERE, data .. '/other'))
    fine('removed', b.call('unlinkat', HERE, data .. '/other', 0))
    fine('no program', open(data .. '/.program', 511, 193)) -- O_EXCL: the mode is that of a program
    refused('program', b.call('faccessat', HERE, data .. '/.program', 1))
    refused('program', b.call('fchmodat', HERE, data .. '/.program', 448))
    refused('folder', b.call('mkdirat', HERE, data .. '/.folder', 448))
    refused('beside', b.call('mkdirat', HERE, parent .. '/folder', 448))
    refused('beside', open(parent .. '/file'))
    refused('link', b.call('symlinkat', '/etc', HERE, data .. '/link'))
    local large = open(data .. '/large') -- it takes no room on the disk
    fine('4 GiB', b.call('ftruncate', large, 1 << 32))
    refused('more', b.call('ftruncate', large, (1 << 32) + 1))
    refused('more', b.call('pwrite64', large, 'x', 1, 1 << 32))]], "", "XDG_DATA_HOME=$PWD/data ",
    "$(echo $PWD/data/spawnpool/*)")
end)

-- Where a game stores nothing yet, the folder is made before the wall, and it is the only one that may be written to.
test_held("a game cannot write to the folder of others' data", function()
  attack([[refused('folder', require('breakout').call('mkdirat', -100, out .. '/data/spawnpool/other', 448))
    refused('file', io.open(out .. '/data/spawnpool/file', 'w'))]], "", "XDG_DATA_HOME=$PWD/data ")
end)

-- Descriptors that the shell has open are closed, unless the command line names them.
for _, row in ipairs { { "", "refused" }, { "--trust", "fine" }, { "--stats /dev/fd/4", "refused", "4" } } do
  test_held("what the shell has open is closed: " .. row[1], function()
    attack(("%s('3', require('breakout').holds(3, out .. '/secret.txt'))"):format(row[2])
      .. (row[3] and " fine('4', require('breakout').holds(4, out .. '/stats.txt'))" or ""), row[1],
      "exec 3<secret.txt 4>stats.txt; ")
    equal(sh "test -s stats.txt && echo yes || echo no", row[3] and "yes\n" or "no\n")
  end)
end

-- What a graphics driver started before the wall is behind it all the same.
test_held("threads that are older do no more", function()
  for _, option in ipairs { "", "--trust" } do
    local out <const> = attack("print(require('breakout').other_threads())", option,
      "BREAKOUT_THREAD=1 LD_PRELOAD=$SP_BUILD/breakout.so ")
    local reached <const>, opened <const> = out:match "^(%d+)\t(%d+)\ntried"
    expect(tonumber(reached) > 0 and (opened == "0") == (option == ""), out)
  end
end, ".")

-- The same attempts come through where both walls are down: they are no empty words.
test("trust takes both walls down", function()
  if not can("test -e $SP_BUILD/breakout.so", "no library that breaks out") then return end
  attack([[fine('execute', os.execute('true'))
    fine('read', read('/etc/passwd'))
    fine('write', io.open(out .. '/new', 'w'))
    local b = require 'breakout'
    fine('fork', b.fork())
    fine('signal', b.call('kill', b.call 'getppid', 0))
    fine('socket', b.call('socket', 1, 1, 0))]], "--trust")
end)

-- Nor does --check, which runs main.lua and classes.
test_held("a game that is only looked over is walled too", function()
  run { main = "print(os.execute 'true', (io.open '/etc/passwd'), io.open '/etc/passwd') return {}",
    sh = "$SP_BUILD/spawnpool-unwalled --check game", out = { "nil\t", "Permission denied" }, lacks = "file (",
    err = false }
end)

local LANDLOCK <const>, SECCOMP <const> = "landlock_create_ruleset", "seccomp"

for _, row in ipairs { { "ENOSYS", LANDLOCK }, { "EOPNOTSUPP", LANDLOCK }, { "ENOSYS", SECCOMP },
  { "ENOSYS", LANDLOCK, SECCOMP } } do
  test_held("a kernel without is told in one line: " .. table.concat(row, " "), function()
    local names <const> = { [LANDLOCK] = "Landlock %d+", [SECCOMP] = "seccomp" }
    for i = 2, #row do
      names[row[i]] = "no " .. names[row[i]]:match "%a+" .. " %(not in this kernel%)"
      expect(host.refuse_call(row[i], row[1]))
    end
    local lacking <const> = names[LANDLOCK] .. ", " .. names[SECCOMP]
    local version <const> = run { sh = "spawnpool --version" }.out
    expect(version:find("sandbox: " .. lacking .. "%)\n$"), version)
    local main <const> = "return { load = function() print 'plays' end }"
    run { main = main, args = "--screenshot shot.png", out = "plays\n" }
    local told <const> = run { sh = "spawnpool --headless --frames 9 game 2>&1" }.out -- else left out: see process.c
    local line <const> = "^spawnpool: the second wall of the sandbox is incomplete: " .. lacking .. "[^\n]*\nplays\n$"
    expect(told:find(line), told)
    run { args = "--trust", out = "plays\n" }
  end)
end

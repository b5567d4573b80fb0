-- Describes the machine of the benches: processor, caches, compiler, and the versions of the peers.

local machine <const> = {}

function machine.output(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read("a")
end

local function first_line(command)
  return machine.output(command .. " 2>/dev/null"):match("[^\n]*")
end

local function field_of(path, pattern)
  local file <close> = io.open(path)
  return file and file:read("a"):match(pattern)
end

-- The words that put a command on one processor: the last that this process may use, because the first one is where the
-- system's own work tends to be. Empty where there is no taskset.
function machine.pinning()
  local list <const> = field_of("/proc/self/status", "Cpus_allowed_list:%s*(%S+)")
  local processor <const> = list and list:match("(%d+)$")
  local there <const> = first_line("command -v taskset") ~= ""
  return processor and there and ("taskset -c %s "):format(processor) or ""
end

-- In the order in which a page names them: what it is called, and the package that brings it.
local PEERS <const> = {
  { "glibc", "libc6" },
  { "jemalloc", "libjemalloc2" },
  { "mimalloc", "libmimalloc-dev" },
  { "Boost", "libboost-dev" },
  { "libev", "libev-dev" },
  { "libuv", "libuv1-dev" },
  { "Lua", "lua5.4" },
  { "LuaJIT", "luajit" },
  { "SDL", "libsdl2-dev" },
  { "Mesa", "libgl1-mesa-dri" },
  { "LÖVE", "love" },
}

local function peers()
  local versions <const> = {}
  for _, peer in ipairs(PEERS) do
    local version <const> = first_line(("dpkg-query -W -f '${Version}' %s"):format(peer[2]))
    if version ~= "" then versions[#versions + 1] = peer[1] .. " " .. version:gsub("^%d+:", "") end
  end
  return versions
end

function machine.describe()
  local cache <const> = "/sys/devices/system/cpu/cpu0/cache/index%d/size"
  local kilobytes <const> = tonumber(field_of("/proc/meminfo", "MemTotal:%s*(%d+)"))
  return {
    date = os.date("!%Y-%m-%d"),
    processor = field_of("/proc/cpuinfo", "model name%s*:%s*([^\n]+)") or "unknown",
    processors = tonumber(first_line("nproc")) or 1,
    cache1 = field_of(cache:format(0), "%S+"),
    cache2 = field_of(cache:format(2), "%S+"),
    cache3 = field_of(cache:format(3), "%S+"),
    memory = kilobytes and ("%d GB"):format(kilobytes // 1e6),
    system = first_line("uname -sr"),
    compiler = first_line((os.getenv("CC") or "cc") .. " --version"),
    peers = peers(),
    pinned = machine.pinning() ~= "",
  }
end

return machine

/*
** A worker that runs `spawnpool --check` on the files of a game, in an instance of its own: the game goes on meanwhile,
** and a check that hangs is ended with its worker. In: { id, name, files }. Out: { id, lines }.
*/
let made = null

async function parts() {
  const [{ default: factory }, response] = await Promise.all([import(new URL("./spawnpool.js", self.location.href).href),
    fetch("spawnpool.wasm")])
  return { factory, wasm: await WebAssembly.compile(await response.arrayBuffer()) }
}

function writeFiles(FS, name, files) {
  for (const [path, bytes] of files) {
    const full = `/games/${name}/${path}`
    FS.mkdirTree(full.slice(0, full.lastIndexOf("/")))
    FS.writeFile(full, bytes)
  }
}

async function check(name, files) {
  const { factory, wasm } = await (made ??= parts())
  const lines = []
  const module = await factory({
    print: () => {},
    printErr: () => {},
    onProblem: (line) => lines.push(line),
    instantiateWasm: (imports, receive) => {
      WebAssembly.instantiate(wasm, imports).then((instance) => receive(instance, wasm))
      return {}
    },
  })
  writeFiles(module.FS, name, files)
  module.ccall("sp_web_check", "number", ["string"], [`/games/${name}`])
  return lines
}

self.onmessage = async ({ data: { id, name, files } }) => {
  try {
    self.postMessage({ id, lines: await check(name, files) })
  } catch (error) {
    self.postMessage({ id, lines: [], failure: String(error?.message ?? error) })
  }
}

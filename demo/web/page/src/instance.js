// The instance of the WebAssembly, with its files and its run: the functions of player.c for a page. A page or a worker
// has one.
//
// Files live in the memory of the page, under paths like "/games/rain/main.lua". Reports and problems are { kind, text,
// file, line, message }: `kind` is "print", "warning", "error" or "reload"; `text` is as the player prints it; `file`
// and `line` are those that the text names, the file relative to the game's folder.

let module = null,
  run = 0, // a web_player; 0: none
  folder = "", // of the game
  timer = 0,
  onEnd = () => {}
const printed = [],
  problems = []

const KINDS = ["print", "warning", "error", "reload"]
const FONTS = ["DejaVuSans.ttf", "DejaVuSansMono.ttf"]
const FONT_FOLDER = "/usr/share/fonts/truetype/dejavu" // where the player looks for its fonts

async function fetchFile(name) {
  const answer = await fetch(new URL(name, import.meta.url))
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`)
  return answer
}

/** Passes on what comes, and tells which part of the whole that is. */
function counted(answer, onPart) {
  const whole = Number(answer.headers.get("content-length"))
  let come = 0
  const counter = new TransformStream({
    transform(piece, out) {
      come += piece.length
      onPart(Math.min(come / whole, 1))
      out.enqueue(piece)
    },
  })
  return whole > 0 ? new Response(answer.body.pipeThrough(counter), { headers: answer.headers }) : answer
}

/** The browser compiles during the download if the server names the type. */
async function compile(onPart) {
  const answer = counted(await fetchFile("spawnpool.wasm"), onPart)
  if (answer.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(answer)
  return WebAssembly.compile(await answer.arrayBuffer())
}

const fetchFonts = () =>
  Promise.all(FONTS.map(async (name) => new Uint8Array(await (await fetchFile(`fonts/${name}`)).arrayBuffer())))

/** Returns the report for a text "file:line: message"; `folder` is left out of the file. */
export function parseProblem(text, folder = "", kind = "error") {
  const found = /^(?:warning: )?([^\n:]+):(\d+): ([^\n]*)/.exec(text)
  if (!found) return { kind, text, file: null, line: 0, message: text.split("\n")[0] }
  const file = found[1].startsWith(`${folder}/`) ? found[1].slice(folder.length + 1) : found[1]
  return { kind, text, file, line: Number(found[2]), message: found[3] }
}

/** Loads all parts at once. `canvas`: the element "#canvas", on which SDL draws; without one games can only be checked,
    which needs no fonts. */
export async function open({ canvas = null, onReport = () => {}, onPart = () => {}, ...handlers } = {}) {
  const parts = [import("./spawnpool.js"), compile(onPart), canvas ? fetchFonts() : []]
  const [{ default: make }, program, fonts] = await Promise.all(parts)
  onEnd = handlers.onEnd ?? onEnd
  module = await new Promise((resolve, reject) => {
    make({
      canvas,
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(program, imports).then(done).catch(reject) // `make` would wait for ever
        return {}
      },
      print: () => {},
      printErr: (line) => printed.push(line),
      onReport: (kind, text) => onReport(parseProblem(text, folder, KINDS[kind])),
      onFile: handlers.onFile,
      onProblem: (text) => problems.push(text),
    }).then(resolve, reject)
  })
  for (const name of ["/games", "/check"]) module.FS.mkdirTree(name)
  fonts.forEach((font, i) => write(`${FONT_FOLDER}/${FONTS[i]}`, font))
}

export function write(path, content) {
  const { FS } = module
  FS.mkdirTree(path.replace(/\/[^/]*$/, "") || "/")
  // A new file has another number: times are whole seconds here, so they cannot distinguish two edits of one size.
  remove(path)
  FS.writeFile(path, content)
}

export const read = (path) => module.FS.readFile(path)
export const remove = (path) => module.FS.analyzePath(path).exists && module.FS.unlink(path)

/** Returns the paths of all files below a folder. */
export const files = (folder) =>
  module.FS.readdir(folder)
    .filter((name) => name !== "." && name !== "..")
    .map((name) => `${folder}/${name}`)
    .flatMap((path) => (module.FS.isDir(module.FS.stat(path).mode) ? files(path) : [path]))

/** Plays a game; `args` are options of the command line: ["--seed", "7"]. A call into the game that computes for
    `patience` seconds is stopped, at its start too; 0: as on the desktop. */
export async function play(game, args = [], patience = 0) {
  folder = game
  run = module.ccall("sp_web_open", "number", ["string", "number"], [[game, ...args].join("\n"), patience])
  if (!run) throw new Error(printed.join("\n") || "the game cannot be opened")
  await new Promise((done) => setTimeout(done)) // the page may draw
  guard(() => module._sp_web_start(run))
  const next = () => {
    timer = requestAnimationFrame(next)
    frame()
  }
  if (run) timer = requestAnimationFrame(next)
}

/** Ends the run, as closing the window does. Returns the exit code. */
export function end() {
  const ended = run
  run = 0
  cancelAnimationFrame(timer)
  return ended ? module._sp_web_close(ended) : 0
}

/** Runs the next frame if it is due; returns whether the run goes on. */
export function frame() {
  if (!run) return false
  if (guard(() => module._sp_web_frame(run))) return true
  if (run) onEnd(end(), null)
  return false
}

/** An exception of the WebAssembly itself ends the run without another call into it. */
function guard(call) {
  try {
    return call()
  } catch (error) {
    run = 0
    cancelAnimationFrame(timer)
    onEnd(3, error)
    return false
  }
}

/** Loads what was written, in the next frame, also in a page in the background, where the browser asks for none.
    Returns "reloaded", "refused" (the previous version still runs), "reverted" (the new code failed, the version before
    is back) or "nothing". */
export async function reload() {
  const counts = () => ["reloads", "refused", "reverted"].map(figure)
  const before = counts()
  if (run) module._sp_web_reload(run)
  while (frame() && module._sp_web_is_reloading(run)) await new Promise((done) => setTimeout(done, 4))
  const which = counts().findIndex((count, i) => count > before[i])
  return ["reloaded", "refused", "reverted"][which] ?? "nothing"
}

/** Runs Lua code as the console does; its values are reported as a print. Returns an sp_eval. */
export const evaluate = (text) => module.ccall("sp_web_eval", "number", ["number", "string"], [run, text])

/** Presses or releases a key. */
export const key = (name, down) => module.ccall("sp_web_key", null, ["string", "boolean"], [name, down])

/** Returns a figure of the run: player.c has their names. */
export const figure = (name) =>
  run ? module.ccall("sp_web_figure", "number", ["number", "string"], [run, name]) : -1

/** Checks a game as --check does, beside the run; returns its problems. */
export function check(name, game) {
  const folder = `/check/${name}`
  for (const path of files("/check")) remove(path)
  for (const [path, bytes] of game) write(`${folder}/${path}`, bytes)
  problems.length = 0
  const count = module.ccall("sp_web_check", "number", ["string"], [folder])
  return count < 0 ? [parseProblem(`${name} has no main.lua`)] : problems.map((text) => parseProblem(text, folder))
}

// The instance of the WebAssembly, with its files and its run: the functions of player.c for a page. A page or a worker
// has one.
//
// Files live in the memory of the page, under paths like "/games/rain/main.lua". Reports and problems are { kind, text,
// file, line, message }: `kind` is "print", "warning", "error" or "reload"; `text` is as the player prints it; `file`,
// `line` and `message` are those that the text names, the file relative to the game's folder.

let module = null,
  run = 0, // a web_player; 0: none
  folder = "", // of the game
  timer = 0,
  resting = 0 // another timer
const printed = [],
  problems = [] // of a check

const KINDS = ["print", "warning", "error", "reload"]
const MESSAGE_MOST = 1000 // characters
const LONG = 30 // milliseconds of a frame after which the browser rests as long
export const FONTS = ["DejaVuSans.ttf", "DejaVuSansMono.ttf"]
const FONT_FOLDER = "/usr/share/fonts/truetype/dejavu" // where the player looks for its fonts

async function fetchFont(name) {
  const answer = await fetch(new URL(`fonts/${name}`, import.meta.url))
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`)
  return new Uint8Array(await answer.arrayBuffer())
}

/** Returns the report for a text "file:line: message", which may go on with a hint; `folder` is left out of the file.
    A token that the message quotes may have millions of characters. */
export function parseProblem(text, folder = "", kind = "error") {
  const found = /^(warning: )?([^\n:]+):(\d+): ([^\n]*)/.exec(text)
  if (!found) return { kind, text, file: null, line: 0, message: text.split("\n")[0] }
  const [, warning, place, line, message] = found,
    hint = /^ *hint: (.*)$/m.exec(text),
    file = place.startsWith(`${folder}/`) ? place.slice(folder.length + 1) : place,
    whole = hint ? `${message} (${hint[1]})` : message
  return { kind: warning ? "warning" : kind, text, file, line: Number(line), message: whole.slice(0, MESSAGE_MOST) }
}

/** Loads all parts at once. `canvas`: the element "#canvas", on which SDL draws; without one games can only be checked,
    which needs no fonts. `parts`: { program, wasm, fonts } as bytes, where nothing can be fetched. `handlers` are
    onReports(list, count of those left out), onEnd and onFile. */
export async function open({ canvas = null, parts = null, ...handlers } = {}) {
  const settings = {
    canvas,
    ...handlers,
    print: () => {},
    printErr: (line) => printed.push(line),
    onReports: (text, dropped) => {
      const lines = text.split("\0").slice(0, -1)
      handlers.onReports?.(lines.map((line) => parseProblem(line.slice(1), folder, KINDS[line[0]])), dropped)
    },
    onProblem: (text) => problems.push(text),
    ...(parts && { wasmBinary: parts.wasm, locateFile: (name) => name }),
  }
  const source = parts && URL.createObjectURL(new Blob([parts.program], { type: "text/javascript" }))
  const loading = parts ? import(source) : import("./spawnpool.js")
  const started = loading.then(({ default: make }) => make(settings))
  const bytes = parts?.fonts ?? (canvas ? FONTS.map(fetchFont) : [])
  const [program, ...fonts] = await Promise.all([started, ...bytes])
  module = program
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

/** Returns what differs after a file was written. */
export function version(path) {
  const { ino, size, mtime } = module.FS.stat(path)
  return `${ino} ${size} ${Number(mtime)}`
}
export const remove = (path) => module.FS.analyzePath(path).exists && module.FS.unlink(path)

/** Returns the paths of all files below a folder, which need not exist. */
export const files = (folder) =>
  (module.FS.analyzePath(folder).exists ? module.FS.readdir(folder) : [])
    .filter((name) => name !== "." && name !== "..")
    .map((name) => `${folder}/${name}`)
    .flatMap((path) => (module.FS.isDir(module.FS.stat(path).mode) ? files(path) : [path]))

/** Plays a game, and returns after its first frame; `args` are options of the command line: ["--seed", "7"]. A call
    into the game that computes for `patience` seconds is stopped, at its start too; 0: as on the desktop. A guest
    neither ends by Esc nor covers the screen. */
export async function play(game, args = [], patience = 0, isGuest = false) {
  const words = [game, ...args].join("\n")
  folder = game
  run = module.ccall("sp_web_open", "number", ["string", "number", "boolean"], [words, patience, isGuest])
  if (!run) throw new Error(printed.join("\n") || "the game cannot be opened")
  await new Promise((done) => setTimeout(done)) // the page may draw
  module._sp_web_start(run)
  const next = () => {
    const begin = performance.now()
    if (!frame()) return
    const took = performance.now() - begin
    if (took > LONG) resting = setTimeout(() => (timer = requestAnimationFrame(next)), took)
    else timer = requestAnimationFrame(next)
  }
  timer = requestAnimationFrame(next)
  while (run && figure("frame") < 1 && figure("stopped") === 0) await new Promise(requestAnimationFrame)
}

/** Ends the run, as closing the window does. Returns the exit code. */
export function end() {
  const ended = run
  run = 0
  cancelAnimationFrame(timer)
  clearTimeout(resting)
  return ended ? module._sp_web_close(ended) : 0
}

/** Runs the next frame if it is due; returns whether the run goes on. */
export function frame() {
  if (!run) return false
  if (module._sp_web_frame(run)) return true
  module.onEnd?.(end())
  return false
}

/** Loads what was written, in the next frame, also in a page in the background, where the browser asks for none. */
export async function reload() {
  if (run) module._sp_web_reload(run)
  while (frame() && module._sp_web_is_reloading(run)) await new Promise((done) => setTimeout(done, 4))
}

/** Runs Lua code as the console does; its values are reported as a print. Returns an sp_eval. */
export const evaluate = (text) => module.ccall("sp_web_eval", "number", ["number", "string"], [run, text])

/** Presses or releases a key. */
export const key = (name, down) => module.ccall("sp_web_key", null, ["string", "boolean"], [name, down])

/** Tells the game of a guest whether it covers the screen. */
export const coverScreen = (on) => run && module.ccall("sp_web_full_screen", null, ["number", "boolean"], [run, on])

/** Returns a figure of the run: player.c has their names. */
export const figure = (name) =>
  run ? module.ccall("sp_web_figure", "number", ["number", "string"], [run, name]) : -1

/** Checks a game as --check does. Returns its problems. */
export function check(name, game) {
  const folder = `/check/${name}`
  for (const [path, bytes] of game) write(`${folder}/${path}`, bytes)
  module.ccall("sp_web_check", "number", ["string"], [folder])
  return problems.map((text) => parseProblem(text, folder))
}

// Games as files: .zip files, folders that a person drops or chooses, and what is refused. Nothing leaves the browser.
// Reading is bounded: sizes are checked before anything is inflated, and inflating stops at the size that was checked,
// so a small file cannot fill the memory.
import { unzipSync, zipSync } from "fflate"

/** A problem whose message is a sentence for the person at the page. */
export class Refusal extends Error {}

const refuse = (why) => {
  throw new Refusal(`This game is not opened: ${why}`)
}

export const LIMITS = { packed: 32 << 20, bytes: 64 << 20, files: 2000 }

const mib = (bytes) => `${Math.round(bytes / (1 << 20))} MiB`

/** Returns `text` as the name of a game: letters, digits, "_" and "-". */
export const plainName = (text) =>
  text
    .replace(/\.zip$/i, "")
    .replace(/[^A-Za-z0-9_-]+|^(__proto__|hasOwnProperty)$/g, "_")
    .slice(0, 40) || "game"

const PATH_MOST = 200 // bytes
const PATH_PROBLEMS = [
  [/^$/, "is empty"],
  // Emscripten's files are properties of JavaScript objects.
  [
    /[\u0000-\u001f\u007f\\:]|(^|\/)(__proto__|hasOwnProperty)(\/|$)/,
    "has a character or a name that no file of a game may have",
  ],
  [/^\//, "begins with a slash: paths are relative to the game's folder"],
  [/\/(\/|$)/, "has a folder or a file without a name"],
  [/(^|\/)\.\.(\/|$)/, "leads out of the game's folder"],
  [/(^|\/)\.(\/|$)/, "has a “.” for a folder: leave it out"],
]

/** Returns why a path cannot be that of a game's file, or undefined. */
function pathProblem(path) {
  if (new TextEncoder().encode(path).length > PATH_MOST) return `is longer than ${PATH_MOST} bytes`
  if (!path.isWellFormed()) return PATH_PROBLEMS[1][1]
  return PATH_PROBLEMS.find(([pattern]) => pattern.test(path))?.[1]
}

/** Counts files and bytes; throws a Refusal beyond the limits, and for a path that no file may have. */
export function counter(limits) {
  let files = 0,
    bytes = 0
  return (path, size) => {
    const problem = pathProblem(path)
    if (problem) refuse(`the path “${path.slice(0, 80)}” ${problem}.`)
    files += 1
    bytes += size
    if (files > limits.files) refuse(`it has more than ${limits.files} files.`)
    if (bytes > limits.bytes) refuse(`its files have more than ${mib(limits.bytes)}.`)
  }
}

/** Throws a Refusal unless files, a Map by path, are those of a game. */
export function checkGame(files) {
  if (!files.has("main.lua")) throw new Refusal("This is not a game: there is no main.lua in it.")
  for (const path of files.keys())
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at)
      if (files.has(folder)) refuse(`“${folder}” is a file, and the folder of “${path}”. Rename one of them.`)
    }
}

const isClutter = (path) => /(^|\/)(__MACOSX|\.git|\.svn|\.DS_Store|Thumbs\.db|desktop\.ini)(\/|$)/.test(path)

/** Drops what is not the game's, and the folders around main.lua. Returns { name, files }; name may be "". */
export function gameOf(entries) {
  const count = counter(LIMITS)
  const kept = entries.filter(([path]) => !isClutter(path))
  const depth = (path) => path.split("/").length
  const main = kept
    .map(([path]) => path)
    .filter((path) => /(^|\/)main\.lua$/.test(path))
    .sort((a, b) => depth(a) - depth(b) || a.length - b.length)[0]
  const root = main?.slice(0, -"main.lua".length)
  const files = new Map()
  for (const [path, bytes] of main ? kept : []) {
    if (!path.startsWith(root)) continue
    count(path.slice(root.length), bytes.length)
    files.set(path.slice(root.length), bytes)
  }
  checkGame(files)
  return { name: root.split("/").at(-2) ?? "", files }
}

/** Reads a .zip: { name, files: Map of path to bytes }. Throws a Refusal. */
export function readZip(bytes) {
  if (bytes.length > LIMITS.packed)
    throw new Refusal(`This .zip is not opened: it has more than ${mib(LIMITS.packed)}.`)
  const count = counter(LIMITS)
  const filter = (file) => {
    if (file.name.endsWith("/") || isClutter(file.name)) return false
    count(file.name, file.originalSize)
    if (file.compression === 0 || file.compression === 8) return true
    throw new Refusal(`This .zip is not opened: “${file.name}” is packed in a way that browsers cannot unpack.`)
  }
  let found
  try {
    found = unzipSync(bytes, { filter })
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("This .zip is damaged, or not a .zip.")
  }
  return gameOf(Object.entries(found))
}

/** Deflating pictures and sounds again gains little, and inflating them would delay the first frame. */
const isPacked = (path) => /\.(png|ogg|wav)$/.test(path)

/** Packs files into a .zip with one folder, NAME/, which the desktop player runs once it is unpacked. */
export function writeZip(name, files, mtime = new Date()) {
  const tree = {}
  for (const [path, bytes] of files) tree[`${name}/${path}`] = [bytes, { level: isPacked(path) ? 0 : 9 }]
  return zipSync(tree, { mtime })
}

async function openZip(file) {
  if (file.size > LIMITS.packed) throw new Refusal("This .zip is not opened: it is too large.")
  const { name, files } = readZip(new Uint8Array(await file.arrayBuffer()))
  return { name: plainName(name || file.name), files }
}

const isZip = (files) => files.length === 1 && /\.zip$/i.test(files[0].name)

/** Reads [path, File] pairs, which are checked before they are read. */
async function openList(list) {
  const count = counter(LIMITS),
    entries = []
  const wanted = list.filter(([path]) => !isClutter(path))
  for (const [path, file] of wanted) count(path, file.size)
  for (const [path, file] of wanted) entries.push([path, new Uint8Array(await file.arrayBuffer())])
  const { name, files } = gameOf(entries)
  return { name: plainName(name), files }
}

/** Reads chosen files, one .zip or the files of a folder: { name, files }. */
export const openChosen = async (files) =>
  isZip(files) ? openZip(files[0]) : openList(Array.from(files, (file) => [file.webkitRelativePath || file.name, file]))

/** Adds [path, File] of everything below an entry. */
async function walk(entry, list) {
  if (list.length > LIMITS.files)
    throw new Refusal(`This folder is not opened: it has more than ${LIMITS.files} files.`)
  if (entry.isFile) {
    list.push([entry.fullPath.slice(1), await new Promise((resolve, reject) => entry.file(resolve, reject))])
    return
  }
  const reader = entry.createReader()
  const readSome = () => new Promise((resolve, reject) => reader.readEntries(resolve, reject))
  for (let some = await readSome(); some.length > 0; some = await readSome())
    for (const inner of some) await walk(inner, list)
}

/** Reads what was dropped: { name, files }. */
export async function openDropped({ items, files }) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean),
    list = []
  if (isZip(files)) return openZip(files[0])
  for (const entry of entries) await walk(entry, list)
  return openList(list)
}

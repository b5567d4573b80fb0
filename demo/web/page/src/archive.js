// Games as files: .zip files, folders that a person drops or chooses, and what is refused. Nothing leaves the browser.
// Reading is bounded: sizes are checked before anything is inflated, and inflating stops at the size that was checked,
// so a small file cannot fill the memory.
import { unzipSync, zipSync } from "fflate"
import { fromEvent } from "file-selector"

/** A problem whose message is a sentence for the person at the page. */
export class Refusal extends Error {}

const refuse = (why) => {
  throw new Refusal(`This game is not opened: ${why}`)
}

export const LIMITS = { packed: 32 << 20, bytes: 64 << 20, files: 2000 }
const FOLDERS_MOST = 500
const PIXELS_MOST = 32 << 20 // of all pictures together: they are decoded at once, four bytes each

const mib = (bytes) => `${Math.round(bytes / (1 << 20))} MiB`

/** Returns `text` as the name of a game: letters, digits, "_" and "-". */
export const plainName = (text) =>
  text
    .replace(/\.zip$/i, "")
    .replace(/[^A-Za-z0-9_-]+|^(__proto__|hasOwnProperty)$/g, "_")
    .slice(0, 40) || "game"

const PATH_MOST = 200 // bytes

/** Whether a file or a folder of a game may have this name. Emscripten's files are properties of JavaScript objects.
    Characters that turn the direction of a text would show another name than there is. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const isName = (name) =>
  !/^(|\.|\.\.|__proto__|hasOwnProperty)$|[\u0000-\u001f\u007f\\:]/.test(name) && name.search(TURNING) < 0

function isPath(path) {
  const { length } = new TextEncoder().encode(path)
  return length <= PATH_MOST && path.isWellFormed() && path.split("/").every(isName)
}

/** Counts files and bytes; throws a Refusal beyond the limits, and for a path that no file may have. */
export function counter(limits) {
  let files = 0,
    bytes = 0
  const folders = new Set()
  return (path, size) => {
    if (!isPath(path))
      refuse(
        `“${path.slice(0, 80).replace(TURNING, "?")}” is no path of a game: names joined by “/”, without “..”, “\\” ` +
          `and “:”, of ${PATH_MOST} bytes at most.`,
      )
    files += 1
    bytes += size
    for (let at = path.indexOf("/"); at > 0 && folders.size <= FOLDERS_MOST; at = path.indexOf("/", at + 1))
      folders.add(path.slice(0, at))
    if (folders.size > FOLDERS_MOST) refuse(`it has more than ${FOLDERS_MOST} folders.`)
    if (files > limits.files) refuse(`it has more than ${limits.files} files.`)
    if (bytes > limits.bytes) refuse(`its files have more than ${mib(limits.bytes)}.`)
  }
}

/** The size of a PNG by its head: the player decodes what this says. */
function pixelsOf(bytes) {
  if (bytes.length < 24 || bytes[0] !== 0x89 || bytes[1] !== 0x50) return 0
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return view.getUint32(16) * view.getUint32(20)
}

/** Throws a Refusal unless files, a Map by path, are those of a game. */
export function checkGame(files) {
  if (!files.has("main.lua")) throw new Refusal("This is not a game: there is no main.lua in it.")
  const pixels = [...files.values()].reduce((sum, bytes) => sum + pixelsOf(bytes), 0)
  if (pixels > PIXELS_MOST) refuse(`its pictures have more than ${PIXELS_MOST >> 20} million pixels together.`)
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
  const mains = kept.map(([path]) => path).filter((path) => /(^|\/)main\.lua$/.test(path))
  const root = mains.sort((a, b) => a.length - b.length)[0]?.slice(0, -"main.lua".length)
  const files = new Map()
  for (const [path, bytes] of kept) {
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
    return true
  }
  let found
  try {
    found = unzipSync(bytes, { filter })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal("This is no .zip, or it is damaged or packed in a way of its own.")
  }
  return gameOf(Object.entries(found))
}

/** Fetches a game of the site. */
export async function fetchGame(url) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Refusal(`There is no game “${url}” here.`)
  return readZip(new Uint8Array(await answer.arrayBuffer()))
}

/** Deflating pictures and sounds again gains little, and inflating them would delay the first frame. */
const isPacked = (path) => /\.(png|ogg|wav)$/.test(path)

/** Packs files into a .zip with one folder, NAME/, which the desktop player runs once it is unpacked. */
export function writeZip(name, files, mtime = new Date()) {
  const tree = {}
  for (const [path, bytes] of files) tree[`${name}/${path}`] = [bytes, { level: isPacked(path) ? 0 : 9 }]
  return zipSync(tree, { mtime })
}

const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer())

/** Reads what was dropped or chosen, one .zip or the files of a folder: { name, files }. Sizes are checked first. */
export async function openFiles(event) {
  const list = (await fromEvent(event)).map((file) => [file.relativePath.replace(/^\.?\//, ""), file])
  const [path, file] = list[0] ?? [""]
  if (list.length === 1 && /\.zip$/i.test(path)) {
    const { name, files } = readZip(await bytesOf(file.slice(0, LIMITS.packed + 1)))
    return { name: plainName(name || path), files }
  }
  const wanted = list.filter(([its]) => !isClutter(its)),
    count = counter(LIMITS)
  for (const [its, { size }] of wanted) count(its, size)
  const { name, files } = gameOf(await Promise.all(wanted.map(async ([its, one]) => [its, await bytesOf(one)])))
  return { name: plainName(name), files }
}

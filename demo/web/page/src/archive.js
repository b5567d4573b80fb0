// Games as .zip files. Reading is bounded: sizes are checked before anything is inflated, and inflating stops at the
// size that was checked, so a small file cannot fill the memory.
import { unzipSync, zipSync } from "fflate"

import { Refusal } from "./refusal.js"

export const LIMITS = { packed: 32 << 20, bytes: 64 << 20, files: 2000 }

const PATH_MOST = 200 // bytes
const BAD = /[\u0000-\u001f\u007f\\:]|(^|\/)(__proto__|hasOwnProperty)(\/|$)/ // Emscripten's files are JavaScript

const mib = (bytes) => `${Math.round(bytes / (1 << 20))} MiB`

/** Returns why a path cannot be that of a game's file, or null. */
export function pathProblem(path) {
  if (path === "") return "is empty"
  if (new TextEncoder().encode(path).length > PATH_MOST) return `is longer than ${PATH_MOST} bytes`
  if (BAD.test(path) || !path.isWellFormed()) return "has a character or a name that no file of a game may have"
  if (path.startsWith("/")) return "begins with a slash: paths are relative to the game's folder"
  const parts = path.split("/")
  if (parts.includes("")) return "has a folder or a file without a name"
  if (parts.includes("..")) return "leads out of the game's folder"
  return parts.includes(".") ? "has a “.” for a folder: leave it out" : null
}

const isClutter = (path) => /(^|\/)(__MACOSX|\.git|\.svn|\.DS_Store|Thumbs\.db|desktop\.ini)(\/|$)/.test(path)

/** Counts files and bytes; throws a Refusal beyond the limits, and for a path that no file may have. */
export function counter(limits) {
  let files = 0,
    bytes = 0
  return (path, size) => {
    const problem = pathProblem(path)
    if (problem) throw new Refusal(`This game is not opened: the path “${path.slice(0, 80)}” ${problem}.`)
    files += 1
    bytes += size
    if (files > limits.files) throw new Refusal(`This game is not opened: it has more than ${limits.files} files.`)
    if (bytes > limits.bytes)
      throw new Refusal(`This game is not opened: its files have more than ${mib(limits.bytes)}.`)
  }
}

/** Throws a Refusal unless files, a Map by path, are those of a game. */
export function checkGame(files) {
  if (!files.has("main.lua")) throw new Refusal("This is not a game: there is no main.lua in it.")
  for (const path of files.keys())
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at)
      if (!files.has(folder)) continue
      throw new Refusal(
        `This game is not opened: “${folder}” is a file, and the folder of “${path}”. Rename one of them.`,
      )
    }
}

/** Drops what is not the game's, and the folders around main.lua. Returns { name, files }; name may be "". */
export function gameOf(entries, limits = LIMITS) {
  const count = counter(limits)
  const kept = entries.filter(([path]) => !isClutter(path))
  const depth = (path) => path.split("/").length
  const main = kept
    .map(([path]) => path)
    .filter((path) => /(^|\/)main\.lua$/.test(path))
    .sort((a, b) => depth(a) - depth(b) || a.length - b.length)[0]
  if (!main) throw new Refusal("This is not a game: there is no main.lua in it.")
  const root = main.slice(0, -"main.lua".length)
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
export function readZip(bytes, limits = LIMITS) {
  if (bytes.length > limits.packed)
    throw new Refusal(`This .zip is not opened: it has more than ${mib(limits.packed)}.`)
  const count = counter(limits)
  const filter = (file) => {
    if (file.name.endsWith("/") || isClutter(file.name)) return false
    count(file.name, file.originalSize)
    if (file.compression !== 0 && file.compression !== 8)
      throw new Refusal(`This .zip is not opened: “${file.name}” is packed in a way that browsers cannot unpack.`)
    return true
  }
  let found
  try {
    found = unzipSync(bytes, { filter })
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("This .zip is damaged, or not a .zip.")
  }
  return gameOf(Object.entries(found), limits)
}

/** Deflating pictures and sounds again gains little, and inflating them would delay the first frame. */
const isPacked = (path) => /\.(png|ogg|wav)$/.test(path)

/** Packs files into a .zip with one folder, NAME/, which the desktop player runs once it is unpacked. */
export function writeZip(name, files, mtime = new Date()) {
  const tree = {}
  for (const [path, bytes] of files) tree[`${name}/${path}`] = [bytes, { level: isPacked(path) ? 0 : 9 }]
  return zipSync(tree, { mtime })
}

/** Reads dropped or chosen files: [path, File] pairs, checked before they are read. */
export async function readFiles(list, limits = LIMITS) {
  const count = counter(limits)
  const wanted = list.filter(([path]) => !isClutter(path))
  for (const [path, file] of wanted) count(path, file.size)
  const entries = []
  for (const [path, file] of wanted) entries.push([path, new Uint8Array(await file.arrayBuffer())])
  return gameOf(entries, limits)
}

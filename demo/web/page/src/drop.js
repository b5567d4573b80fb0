// Dropped and chosen games: a .zip, a folder, or the files of one. Nothing leaves the browser.
import { LIMITS, readFiles, readZip } from "./archive.js"
import { plainName, Refusal } from "./refusal.js"

const asFile = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject))
const someEntries = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject))

/** Adds [path, File] of everything below an entry. */
async function walk(entry, list) {
  if (list.length > LIMITS.files)
    throw new Refusal(`This folder is not opened: it has more than ${LIMITS.files} files.`)
  if (entry.isFile) {
    list.push([entry.fullPath.replace(/^\//, ""), await asFile(entry)])
    return
  }
  const reader = entry.createReader()
  for (let some = await someEntries(reader); some.length > 0; some = await someEntries(reader))
    for (const inner of some) await walk(inner, list)
}

async function openZip(file) {
  if (file.size > LIMITS.packed) throw new Refusal("This .zip is not opened: it is too large.")
  const { name, files } = readZip(new Uint8Array(await file.arrayBuffer()))
  return { name: plainName(name || file.name), files }
}

async function openList(list) {
  const { name, files } = await readFiles(list)
  return { name: plainName(name), files }
}

/** Reads chosen files: one .zip, or the files of a folder. */
export async function openChosen(files) {
  const list = [...files]
  if (list.length === 1 && /\.zip$/i.test(list[0].name)) return openZip(list[0])
  return openList(list.map((file) => [file.webkitRelativePath || file.name, file]))
}

async function openDropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  const files = [...transfer.files]
  if (files.length === 1 && /\.zip$/i.test(files[0].name)) return openZip(files[0])
  const list = []
  for (const entry of entries) await walk(entry, list)
  return openList(list)
}

/** Listens for drops on the whole page. `onGame` receives a promise of { name, files }. */
export function listenForDrops(overlay, onGame) {
  let depth = 0
  const isFiles = (event) => event.dataTransfer?.types.includes("Files")
  const show = (on) => {
    overlay.hidden = !on
  }
  addEventListener("dragenter", (event) => {
    if (isFiles(event)) show((depth += 1) > 0)
  })
  addEventListener("dragleave", (event) => {
    if (isFiles(event)) show((depth -= 1) > 0)
  })
  addEventListener("dragover", (event) => {
    if (isFiles(event)) event.preventDefault()
  })
  addEventListener("drop", (event) => {
    if (!isFiles(event)) return
    event.preventDefault()
    depth = 0
    show(false)
    onGame(openDropped(event.dataTransfer))
  })
}

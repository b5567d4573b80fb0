// What leaves the page: links, codes for phones, .zip files, bug files, pictures. The address stays that of the draft.
import { generate } from "lean-qr"

import { writeZip } from "./archive.js"
import { writeLink } from "./link.js"
import { make } from "./panels.js"
import { Project } from "./project.js"

const byId = (id) => document.getElementById(id)
const CODE_MOST = 2500 // characters that a phone reads from a screen

const addressOf = (fragment) => location.origin + location.pathname + fragment

/** Copies a link. Where the browser refuses that, it is shown. */
async function copy(link, toast, show = () => {}) {
  try {
    await navigator.clipboard.writeText(link)
    toast(`The link is copied: ${link.length.toLocaleString("en")} characters.`)
  } catch {
    show()
    toast("Copy the link yourself: the browser does not let this page do it.")
  }
}

/** Shows a link in a window, with the code for phones where it is short enough. */
function showLink(link, game, toast) {
  const dialog = byId("link-window"),
    canvas = byId("code"),
    isShort = link.length <= CODE_MOST
  byId("link").value = link
  byId("link-play").value = `${link}&play`
  canvas.hidden = !isShort
  byId("code-note").textContent = isShort
    ? `A phone that reads this code plays ${game}.`
    : "The game is too large for a code: a phone reads up to 2,500 characters."
  if (isShort) generate(`${link}&play`).toCanvas(canvas, { on: [0, 0, 0], off: [255, 255, 255], padX: 3, padY: 3 })
  for (const input of dialog.querySelectorAll("input")) input.onfocus = () => input.select()
  for (const button of dialog.querySelectorAll("[data-copy]"))
    button.onclick = () => copy(byId(button.dataset.copy).value, toast)
  dialog.showModal()
}

const linkTo = async (project) => addressOf(await writeLink(project.edits()))

export const showCode = async (project, toast) => showLink(await linkTo(project), project.name, toast)

export async function copyLink(project, toast) {
  const link = await linkTo(project)
  byId("link").value = link
  await copy(link, toast, () => showLink(link, project.name, toast))
}

function save(name, bytes, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([bytes], { type })), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

export const saveZip = (name, files) => save(`${name}.zip`, writeZip(name, files), "application/zip")

const stamp = () => new Date().toISOString().slice(0, 19).replace(/\D/g, "")

export const savePicture = (name, png) => save(`${name}-${stamp()}.png`, png, "image/png")

/** Saves the game and the run of it that goes on, `texts` by name, as a .zip, and offers a link where that is
    possible. */
export async function saveBug(project, texts, toast) {
  const name = `${project.name}-${stamp()}`,
    bug = new Project(project.name, project.base, project.published)
  bug.files = new Map(project.files)
  for (const [path, text] of Object.entries(texts)) bug.write(path, text)
  saveZip(name, bug.files)
  const link = await linkTo(bug).catch(() => null)
  const action = link && { "A link to it": () => showLink(link, name, toast) }
  toast(`${name}.zip is saved${link ? "" : ": it is too large for a link"}.`, action)
}

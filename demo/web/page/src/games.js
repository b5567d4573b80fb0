// "Your games": the drafts of this browser, with what can be done to them.
import { clearDrafts, deleteDraft, listDrafts, readRecord, writeRecord } from "./drafts.js"
import { make } from "./panels.js"
import { clearSaved } from "./storage.js"

const FROM = { link: "from a link", file: "opened", new: "new", example: "example", copy: "a copy" }
const day = (at) => new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })

/** Lists the drafts in `host`. `page` has open(id), openVersion(id, i), rename(id, name), forget(id), attempt(work),
    toast(text, action), and current(): the id of the open one. */
export async function listGames(host, page) {
  const show = () => listGames(host, page)
  const rows = (await listDrafts()).map((draft) => gameRow(draft, page, show))
  if (rows.length === 0) return host.replaceChildren()
  const all = make("button", { className: "small" }, "Clear all stored data…")
  all.onclick = (event) => {
    event.stopPropagation()
    if (all.dataset.sure) return page.attempt(() => clearAll(page, show))
    all.dataset.sure = "yes"
    all.textContent = `Delete ${rows.length} of your games and all that games have saved: click again`
  }
  host.replaceChildren(make("h2", { className: "title" }, "Your games"), ...rows, all, make("hr"))
}

async function clearAll(page, show) {
  page.forget(null)
  await clearDrafts()
  clearSaved()
  page.toast("All stored data of this page is deleted.")
  await show()
}

function gameRow(draft, page, show) {
  const { id, at } = draft,
    name = String(draft.name),
    about = `${FROM[draft.from] ?? "yours"}, edited ${day(at)}`
  const more = make("div", { className: "more", hidden: true })
  const title = `${name}: rename, versions, delete`
  const toggle = make("button", { className: "dots", title, ariaLabel: title, ariaExpanded: "false" }, "⋯")
  toggle.onclick = (event) => {
    event.stopPropagation()
    more.hidden = !more.hidden
    toggle.ariaExpanded = String(!more.hidden)
    if (!more.hidden) more.replaceChildren(...tools(draft, page, show))
  }
  const open = make("button", { dataset: { id }, onclick: () => page.attempt(() => page.open(id)) })
  open.append(make("b", {}, name), make("small", {}, about))
  if (id === page.current()) open.ariaCurrent = "true"
  return make("div", { className: "own" }, make("div", { className: "row" }, open, toggle), more)
}

function tools({ id, name, versions = [] }, page, show) {
  const input = make("input", { value: name, maxLength: 40, ariaLabel: `New name of ${name}` })
  const apply = () => page.attempt(() => page.rename(id, input.value).then(show))
  const keep = make("form", { className: "rename" }, input, make("button", { className: "plain" }, "Rename"))
  keep.onclick = (event) => event.stopPropagation()
  keep.onsubmit = (event) => {
    event.preventDefault()
    apply()
  }
  const old = versions.map(({ at, files }, i) => {
    const text = `Version of ${day(at)} (${files.size} edited)`
    return make("button", { className: "small", onclick: () => page.attempt(() => page.openVersion(id, i)) }, text)
  })
  const remove = make("button", { className: "small bad" }, "Delete")
  remove.onclick = (event) => {
    event.stopPropagation()
    page.attempt(async () => {
      const record = await readRecord(id)
      page.forget(id)
      await deleteDraft(id)
      await show()
      page.toast(`“${name}” is deleted.`, { Undo: () => page.attempt(() => writeRecord(record).then(show)) })
    })
  }
  return [keep, ...old, remove]
}

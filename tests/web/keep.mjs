// The page in a browser: work that a person has done is not lost, and a version that hangs is not started again.
import assert from "node:assert/strict"

import { filesOf, linkOf, QUIET, until, useBrowser } from "./browser.mjs"
import { writeLink } from "../../demo/web/page/src/link.js"
import { writeZip } from "../../demo/web/page/src/archive.js"

const { visiting, playing } = useBrowser()

const GAME = `${QUIET}return game`
const type = async (visit, text) => {
  await visit.typeFirst(text)
  await until("it is kept", () => visit.kept())
}
const pick = (visit, name) =>
  visit.playsAfter(() => visit.page.$eval(`#game-list [href="#game=${name}"]`, (link) => link.click()))
const has = (visit, text) => until(`code with ${text}`, async () => (await visit.code()).includes(text))

/** Opens one of "Your games" by its name. */
async function openOwn(visit, name) {
  await visit.page.click("#pick")
  const row = await until(`${name} in the list`, () => visit.page.$(`#your-games ::-p-text(${name})`))
  await row.click()
}

playing("a new game is kept, whatever opens next", "", async (visit) => {
  await visit.playsAfter(() => visit.page.click("#new"))
  await type(visit, "-- mine\n")
  await pick(visit, "cubes")
  await visit.playsAfter(() => visit.press("Back", "#toast"))
  await has(visit, "-- mine")
  await visit.playsAfter(() => visit.page.click("#new"))
  await type(visit, "-- second\n")
  await visit.playsAfter(() => visit.page.goBack())
  await has(visit, "-- mine")
  await visit.playsAfter(() => visit.page.reload())
  await has(visit, "-- mine")
})

visiting("a linked game that was edited is a draft, and the link is what it was", async (visit) => {
  const link = await linkOf(GAME, "theirs")
  await (await visit.open(link)).plays()
  await type(visit, "-- better\n")
  assert.match(await visit.page.evaluate(() => location.hash), /^#draft=/)
  await visit.playsAfter(() => visit.page.reload())
  await has(visit, "-- better")
  await visit.playsAfter(() => visit.open(`?1${link}`))
  assert.ok(!(await visit.code()).includes("-- better"))
  await visit.playsAfter(() => visit.press("Open yours", "#toast"))
  await has(visit, "-- better")
})

/** In the page: an edit goes to the game before the browser has kept it, as on a slow disk. */
function hurryEdits() {
  const later = globalThis.setTimeout
  globalThis.setTimeout = (work, time, ...rest) => later(work, time === 300 ? 0 : time, ...rest)
}
const notHung = async (visit) => {
  const link = await linkOf(GAME, "theirs")
  await (await visit.open(link)).plays()
  await type(visit, "-- better\n")
  await until("it plays", async () => !(await visit.isMarked()))
  await visit.open(`?1${link}`, { asks: true })
  assert.match(await visit.gate(), /Nothing of it runs before you say so/)
}
visiting("an edit of a linked game that came back leaves no mark", notHung, { before: hurryEdits })

// The list may be drawn anew at any time: the button is found and pressed in one turn of the page.
const openTools = (visit) =>
  until("the tools", () =>
    visit.page.evaluate(() => {
      const isOpen = document.querySelector("#your-games .more:not([hidden])") !== null
      if (!isOpen) document.querySelector("#your-games .dots")?.click()
      return isOpen
    }),
  )

playing("an opened .zip is one of your games: renamed, deleted, and back", "", async (visit) => {
  await visit.playsAfter(() => visit.drop(writeZip("rain", filesOf({ "main.lua": GAME })), "rain.zip"))
  await pick(visit, "cubes")
  await visit.playsAfter(() => openOwn(visit, "rain"))
  await visit.page.click("#pick")
  await openTools(visit)
  await visit.page.$eval("#your-games .rename input", (input) => (input.value = "storm of mine"))
  await visit.press("Rename", "#your-games")
  await until("the new name", async () => (await visit.text("#pick-name")) === "storm_of_mine")
  await until("the list", async () => /storm_of_mine/.test(await visit.text("#your-games")))
  await openTools(visit)
  await visit.press("Delete", "#your-games")
  await until("an empty list", async () => (await visit.text("#your-games")) === "")
  await visit.press("Undo", "#toast")
  await until("the list", async () => /storm_of_mine/.test(await visit.text("#your-games")))
})

playing("after a link was copied the address means the draft", "#game=cubes", async (visit) => {
  await type(visit, "-- one\n")
  assert.match(await visit.link(), /^#game=cubes&edit=/)
  await type(visit, "-- two\n")
  await visit.playsAfter(() => visit.page.reload())
  await has(visit, "-- two")
  await has(visit, "-- one")
})

playing("undoing edits can be undone", "#game=cubes", async (visit) => {
  await type(visit, "-- one\n")
  await visit.page.click("#revert-file")
  await until("the file as it was", async () => !(await visit.code()).includes("-- one"))
  await (await visit.content).focus()
  await visit.chord("Control", "z")
  await has(visit, "-- one")
  await visit.page.click("#share")
  await visit.page.click("#revert")
  await until("the game as it was", async () => !(await visit.code()).includes("-- one"))
  await visit.press("Undo", "#toast > :last-child")
  await has(visit, "-- one")
})

playing("an earlier version comes back", "#game=cubes", async (visit) => {
  await type(visit, "-- first\n")
  await visit.playsAfter(() => visit.page.reload()) // each visit makes a version
  await type(visit, "-- newer\n")
  await visit.page.click("#pick")
  await openTools(visit)
  await visit.press("Version of", "#your-games")
  await until("the version", async () => !(await visit.code()).includes("-- newer"))
  await has(visit, "-- first")
})

/** In the page: what is said, however soon it goes. */
function noteToasts() {
  const toast = document.getElementById("toast")
  globalThis.said = toast.textContent
  new MutationObserver(() => (globalThis.said += toast.textContent)).observe(toast, { childList: true })
}

visiting("two tabs of one game say so, and both are kept", async (visit) => {
  const other = await visit.again()
  for (const one of [visit, other]) {
    await one.page.bringToFront() // a page in the background draws nothing
    await (await one.open("#game=cubes")).plays()
    if (one === visit) await visit.page.evaluate(noteToasts)
  }
  await until("a word", async () => /another tab/.test(await visit.page.evaluate(() => globalThis.said)))
  await visit.page.bringToFront()
  await type(visit, "-- here\n")
  await other.page.bringToFront()
  await type(other, "-- there\n")
  await until("both are kept", async () => (await other.text("#pick-name")) === "cubes-2")
  for (const [one, text] of [
    [visit, "-- here"],
    [other, "-- there"],
  ]) {
    await one.page.bringToFront()
    await one.playsAfter(() => one.page.reload())
    await has(one, text)
  }
  await other.close()
})

visiting("edits that an earlier page has kept are taken over", async (visit) => {
  const files = filesOf({ "new.lua": "return 'kept by the page of then'" })
  const old = await writeLink({ name: "cubes", base: "cubes", files, removed: [] }, Infinity)
  await (await visit.open("")).plays()
  await visit.page.evaluate((link) => localStorage.setItem("spawnpool.edits:cubes", link), old)
  for (let i = 0; i < 2; i++) {
    await visit.playsAfter(() => visit.page.goto(`${visit.url}?${i}#game=cubes`))
    await until("the file", () => visit.page.$("[data-path='new.lua']"))
  }
})

/** In the page: a database that refuses, with the error of a full disk. */
function refuseDatabase() {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("full", "QuotaExceededError")
  }
}
const full = async (visit) => {
  await visit.typeFirst("-- lost?\n")
  await until("a word", async () => /keeps no edits/.test(await visit.text("#toast")))
  assert.ok(await visit.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))))
}
playing("a full disk is told, and the page asks before edits are lost", "#game=cubes", full, { before: refuseDatabase })

playing("a damaged draft is told", "#game=cubes", async (visit) => {
  await type(visit, "-- one\n")
  await visit.page.evaluate(async () => {
    const open = indexedDB.open("spawnpool")
    await new Promise((done) => (open.onsuccess = done))
    const store = open.result.transaction("drafts", "readwrite").objectStore("drafts")
    store.put({ id: "cubes", files: "?" }, "cubes")
    await new Promise((done) => (store.transaction.oncomplete = done))
  })
  await visit.playsAfter(() => visit.page.reload())
  assert.match(await visit.sentence(), /damaged.*as it was published/)
})

// {== A safe start ==============================================================

const hang = (visit) =>
  visit.player.then((frame) => {
    frame.evaluate(() => setTimeout(() => { for (;;); })).catch(() => {})
  })

visiting("an edit that does not come back is not started again", async (visit) => {
  await (await visit.open("#game=cubes")).plays()
  await type(visit, "-- good\n")
  await visit.state("good")
  await until("it plays", async () => !(await visit.isMarked()))
  await hang(visit)
  await visit.typeFirst("-- bad\n")
  await until("the mark", () => visit.isMarked())
  await until("it is kept", () => visit.kept())

  const other = await visit.again()
  await visit.page.goto("about:blank") // else the new frame may join the process that hangs
  await other.open("#game=cubes")
  assert.match(await other.gate(), /This version did not come back/)
  await other.content
  await has(other, "-- bad")
  await other.press("Undo the last edit")
  await other.plays()
  assert.ok(!(await other.code()).includes("-- bad"))
  await has(other, "-- good")
  await other.close()
})

visiting("?safe starts nothing", async (visit) => {
  await visit.open("?safe#game=cubes")
  await visit.gate()
  await has(visit, "spawnpool")
  await visit.press("Run")
  await visit.plays()
})

// }==

// The page in a browser: links, .zip files, folders, games in other pages.
import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { readZip } from "../../demo/web/page/src/archive.js"
import { bytes, QUIET, scratchFolder, until, useBrowser } from "./browser.mjs"

const { browser, visiting, playing } = useBrowser()
const scratch = scratchFolder()

playing("edits travel in a link, and outlive the page", "#game=cubes", async (visit) => {
  await visit.openFile("palette.lua")
  await visit.typeFirst("shared_by_link = 7\n")
  await visit.state("good")
  const link = await visit.link()
  await visit.playsAfter(() => visit.page.goto(`${visit.url}?again#game=cubes`))
  assert.equal(await visit.lua("shared_by_link"), "7", "in this browser")

  const other = await browser.play(link)
  assert.equal(await other.lua("shared_by_link"), "7")
  await other.openFile("palette.lua")
  await other.page.click("#revert-file")
  await until("the file as it was", async () => !(await other.code()).includes("shared_by_link"))
  await other.close()
})

playing("edits stay with their game, however long they are and whatever opens next", "#game=scenes", async (visit) => {
  const long = randomBytes(40000).toString("base64")
  const pick = (name) => visit.page.$eval(`#game-list [href="#game=${name}"]`, (link) => link.click())
  await visit.paste(`long_edit = "${long}" return {}`)
  await visit.playsAfter(() => pick("cubes"))
  assert.equal(await visit.lua("long_edit"), "nil")
  await visit.playsAfter(() => pick("scenes"))
  assert.equal(await visit.number("#long_edit"), long.length)
})

playing("a .zip has the edits, and the page opens it", "#game=footprints", async (visit) => {
  await visit.openFile("stage.lua")
  await visit.typeFirst("shared_by_zip = 8\n")
  await visit.state("good")
  const zip = join(scratch, await visit.download(scratch, "#share", "#save-zip"))
  const { name, files } = readZip(new Uint8Array(readFileSync(zip)))
  assert.equal(name, "footprints")
  assert.match(String(Buffer.from(files.get("stage.lua"))), /^shared_by_zip = 8\n/)

  const other = await browser.play("#game=cubes")
  const input = await other.page.$("#file-input")
  await other.playsAfter(() => input.uploadFile(zip))
  assert.equal(await other.text("#pick-name"), "footprints")
  assert.equal(await other.lua("shared_by_zip"), "8")
  await other.drop(bytes("hello"), "game.zip")
  await until("the refusal", async () => /no \.zip/.test(await other.sentence()))
  await other.grows()
  await other.close()
})

const folder = join(scratch, "own-rain")
mkdirSync(join(folder, "parts"), { recursive: true })
writeFileSync(join(folder, "main.lua"), `${QUIET}drops = require "parts.count"\nreturn game`)
writeFileSync(join(folder, "parts/count.lua"), "return 11")

for (const [way, open] of Object.entries({
  chosen: async ({ page }) => (await page.$("#folder-input")).uploadFile(folder),
  dropped: async ({ page }) => {
    const files = { items: [], files: [folder], dragOperationsMask: 1 }
    await page.mouse.dragEnter({ x: 700, y: 400 }, files)
    await page.mouse.dragOver({ x: 700, y: 400 }, files)
    await page.mouse.drop({ x: 700, y: 400 }, files)
  },
}))
  playing(`a folder that is ${way} opens`, "#game=cubes", async (visit) => {
    await visit.playsAfter(() => open(visit))
    assert.equal(await visit.text("#pick-name"), "own-rain")
    assert.equal(await visit.lua("drops"), "11")
  })

const EMBEDDING = `<!doctype html><script type="module" src="spawnpool-game.js"></script>
<spawnpool-game src="games/cubes.zip"></spawnpool-game><pre></pre><script>
const game = document.querySelector("spawnpool-game"), log = document.querySelector("pre")
game.addEventListener("game-frame", () => { game.eval("print(1 + 41)"); log.append("shown ") })
game.addEventListener("game-report", ({ detail }) => log.append(detail.kind + " " + detail.text + " "))
game.addEventListener("game-trouble", ({ detail }) => log.append("trouble " + detail.text))</script>`

visiting("another page embeds a game by its element", async (visit) => {
  await visit.openOwn(EMBEDDING)
  const shows = (...sources) =>
    visit.page.evaluate((all) => {
      document.querySelector("pre").textContent = ""
      for (const src of all) document.querySelector("spawnpool-game").setAttribute("src", src)
    }, sources)
  const says = (text) => until(text, async () => (await visit.text("pre")).includes(text))
  await says("print 42")
  await shows("storm") // another game, by its name
  await says("print 42")
  await shows("storm", "games/footprints.zip") // the first one is dropped at once
  await says("print 42")
  const frames = (element) => element.shadowRoot.querySelectorAll("iframe").length
  assert.equal(await visit.page.$eval("spawnpool-game", frames), 1)
  await shows("none.zip")
  await says("“none.zip” could not be loaded")
  visit.forgive(/404/)
})

// The page in a browser: links, .zip files, games in other pages.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { after, before, test } from "node:test"

import { readZip, writeZip } from "../../demo/web/page/src/archive.js"
import { bytes, drop, QUIET, ROOT, sleep, until, useBrowser } from "./browser.mjs"

const browser = useBrowser({ before, after })

const scratch = mkdtempSync(join(tmpdir(), "spawnpool-web-"))
after(() => rmSync(scratch, { recursive: true }))

test("edits travel in a link", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  await visit.openFile("palette.lua")
  await visit.typeFirst("shared_by_link = 7\n")
  await visit.state("good")
  await visit.page.click("#share")
  await visit.page.click("#copy-link")
  const link = await until("a link", () => visit.page.evaluate(() => /edit=/.test(location.hash) && location.hash))
  await visit.playsAfter(() => visit.page.goto(`${visit.url}?again#game=cubes`))
  assert.equal(await visit.lua("shared_by_link"), "7", "edits outlive the page, in this browser")
  await visit.close()

  const other = await browser.visit()
  await other.open(link)
  await other.plays()
  assert.equal(await other.lua("shared_by_link"), "7")
  await other.openFile("palette.lua")
  assert.match(await other.code(), /^shared_by_link = 7/)
  await other.page.click("#revert-file")
  await until("the file as it was", async () => !(await other.code()).includes("shared_by_link"))
  await other.close()
})

test("edits stay with their game, however long they are and whatever opens next", async () => {
  const visit = await browser.visit()
  const long = randomBytes(40000).toString("base64")
  const pick = (name) => visit.page.$eval(`#game-list [href="#game=${name}"]`, (link) => link.click())
  await visit.open("#game=scenes")
  await visit.plays()
  await visit.paste(`long_edit = "${long}" return {}`)
  await visit.playsAfter(() => pick("cubes"))
  assert.equal(await visit.lua("long_edit"), "nil")
  await visit.playsAfter(() => pick("scenes"))
  assert.equal(await visit.lua("#long_edit"), String(long.length))
  assert.deepEqual(await visit.page.evaluate(() => Object.keys(localStorage)), ["spawnpool.edits:scenes"])
  await visit.close()
})

/** Saves the game of a page by its button; returns the path of the .zip. */
async function download(visit) {
  const session = await visit.page.createCDPSession()
  await session.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: scratch,
    browserContextId: visit.page.browserContext().id,
  })
  await visit.page.click("#share")
  await visit.page.click("#save-zip")
  return join(scratch, await until("a .zip", () => readdirSync(scratch).find((name) => name.endsWith(".zip"))))
}

test("a .zip has the edits; the desktop player plays it, and the page opens it", async () => {
  const visit = await browser.visit()
  await visit.open("#game=footprints")
  await visit.plays()
  await visit.openFile("stage.lua")
  await visit.typeFirst("shared_by_zip = 8\n")
  await visit.state("good")
  const zip = await download(visit)
  await visit.close()

  const { name, files } = readZip(new Uint8Array(readFileSync(zip)))
  assert.equal(name, "footprints")
  for (const [path, content] of files) {
    mkdirSync(dirname(join(scratch, name, path)), { recursive: true })
    writeFileSync(join(scratch, name, path), content)
  }
  if (existsSync(`${ROOT}build/spawnpool`)) {
    execFileSync(`${ROOT}build/spawnpool`, ["--check", name], { cwd: scratch })
    execFileSync(`${ROOT}build/spawnpool`, ["--headless", "--frames", "60", name], { cwd: scratch })
  }

  const other = await browser.visit()
  await other.open("#game=cubes")
  await other.plays()
  const input = await other.page.$("#file-input")
  await other.playsAfter(() => input.uploadFile(zip))
  assert.equal(await other.text("#pick-name"), "footprints")
  assert.equal(await other.lua("shared_by_zip"), "8")
  await other.close()
})

test("a dropped .zip opens", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  const zip = writeZip(
    "rain",
    new Map([["main.lua", bytes(`${QUIET}function game.load() dropped = 9 end\nreturn game`)]]),
  )
  await visit.playsAfter(() => drop(visit, zip, "anything.zip"))
  assert.equal(await visit.text("#pick-name"), "rain")
  assert.equal(await visit.lua("dropped"), "9")
  await visit.close()
})

test("a folder opens, chosen and dropped", async () => {
  const folder = join(scratch, "own-rain")
  mkdirSync(join(folder, "parts"), { recursive: true })
  writeFileSync(join(folder, "main.lua"), `${QUIET}drops = require "parts.count"\nreturn game`)
  writeFileSync(join(folder, "parts/count.lua"), "return 11")
  const ways = {
    chosen: async ({ page }) => (await page.$("#folder-input")).uploadFile(folder),
    dropped: async ({ page }) => {
      const files = { items: [], files: [folder], dragOperationsMask: 1 }
      await page.mouse.dragEnter({ x: 700, y: 400 }, files)
      await page.mouse.dragOver({ x: 700, y: 400 }, files)
      await page.mouse.drop({ x: 700, y: 400 }, files)
    },
  }
  for (const [way, open] of Object.entries(ways)) {
    const visit = await browser.visit()
    await visit.open("#game=cubes")
    await visit.plays()
    await visit.playsAfter(() => open(visit))
    assert.equal(await visit.text("#pick-name"), "own-rain", way)
    assert.equal(await visit.lua("drops"), "11", way)
    await visit.close()
  }
})

test("another page embeds a game by its element", async () => {
  const visit = await browser.visit()
  const html =
    '<!doctype html><script type="module" src="spawnpool-game.js"></script>' +
    '<spawnpool-game src="games/cubes.zip"></spawnpool-game><pre></pre><script>' +
    'document.body.dataset.troubles = ""\n' +
    'addEventListener("game-trouble", ({ detail }) => { document.body.dataset.troubles += detail.text }, true)\n' +
    'const game = document.querySelector("spawnpool-game"), log = document.querySelector("pre")\n' +
    'game.addEventListener("game-frame", () => { document.body.dataset.frame = 1; game.eval("print(1 + 41)"); log.append("shown ") })\n' +
    'game.addEventListener("game-report", ({ detail }) => log.append(detail.kind + " " + detail.text + " "))</script>'
  await visit.openOwn(html)
  await visit.plays()
  await until("a print of the game", async () => (await visit.text("pre")).includes("print 42"))
  const shows = (src, parts) =>
    until(src, () =>
      visit.page.evaluate(
        (it, texts) => {
          const game = document.querySelector("spawnpool-game"),
            log = document.querySelector("pre")
          if (game.getAttribute("src") !== it) {
            log.textContent = ""
            game.setAttribute("src", it)
          }
          const frames = game.shadowRoot.querySelectorAll("iframe")
          return frames.length === 1 && texts.every((text) => log.textContent.includes(text))
        },
        src,
        parts,
      ),
    )
  await shows("storm", ["shown ", "print 42"]) // another game, by its name
  await shows("games/footprints.zip", ["shown ", "print 42"])
  await visit.page.evaluate(() => {
    const game = document.querySelector("spawnpool-game")
    game.setAttribute("src", "storm") // dropped at once
    game.setAttribute("src", "games/cubes.zip")
  })
  await shows("games/cubes.zip", ["shown ", "print 42"])
  await visit.page.evaluate(() => {
    const none = document.createElement("spawnpool-game")
    none.setAttribute("src", "none.zip")
    document.body.prepend(none)
  })
  const troubles = () => visit.page.evaluate(() => document.body.dataset.troubles)
  await until("the trouble", async () => /“none\.zip” could not be loaded/.test(await troubles()))
  visit.errors = visit.errors.filter((line) => !/404/.test(line)) // the browser's own line on a missing file
  await visit.shot("embedded")
  await visit.close()
})

// Bug files: what one player writes, the other plays to the same state. And the first page: what a stranger finds.
import assert from "node:assert/strict"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"

import { readZip } from "../../demo/web/page/src/archive.js"
import { linkOf, ROOT, sentence, sleep, until, useBrowser } from "./browser.mjs"

const PLAYER = `${ROOT}build/spawnpool`
const only = existsSync(PLAYER) ? {} : { skip: "build/spawnpool is not built" }
const browser = useBrowser({ before, after })
const scratch = mkdtempSync(join(tmpdir(), "spawnpool-bug-"))
after(() => rmSync(scratch, { recursive: true }))

// The order of keys, clocks, random seeds and the size of the heap decide where the dots are.
const MAIN = `local spawnpool <const> = require "spawnpool"
local names, frame = {}, 0
for i = 1, 60 do names["key" .. i * 7919 % 1009] = i end
math.randomseed()
spawnpool.class("Dot", { fields = { n = "" }, limit = 500, overflow = "oldest" })
local function dot(x, y, n) spawnpool.pools:alloc("Dot", 2, x, y).n = n end
return { update = function()
  frame = frame + 1
  for name, i in pairs(names) do if i % 60 == frame % 60 then dot(math.random(), os.clock(), name) end end
  dot(os.time() % 1000, collectgarbage "count", tostring(names))
  END
end, key_pressed = function(key) dot(1, 1, key) end }`

const zipIn = (folder) => readdirSync(folder).find((name) => name.endsWith(".zip"))

/** In the page: plays files until the timeline opens; returns what was compared. */
async function playBug(files) {
  const player = await import("/instance.js")
  await player.open({ canvas: document.querySelector("canvas") })
  for (const [path, content] of files)
    player.write(`/games/bug/${path}`, Uint8Array.from(atob(content), (c) => c.charCodeAt(0)))
  await player.play("/games/bug", ["--memory", "256"])
  while (player.figure("timeline") === 0 && player.frame()) await new Promise((done) => setTimeout(done))
  return ["timeline", "hashes", "differing"].map(player.figure)
}

/** Plays files on a page that has nothing but the player. */
async function playAlone(files) {
  const visit = await browser.visit({ width: 800, height: 600 })
  await visit.openOwn('<!doctype html><canvas id="canvas" width="800" height="600"></canvas>')
  const seen = await visit.page.evaluate(playBug, files)
  visit.errors = []
  await visit.close()
  return seen
}

test("a bug file of the desktop ends in the same state on the page", only, async () => {
  const folder = join(scratch, "late")
  mkdirSync(folder)
  writeFileSync(join(folder, "main.lua"), MAIN.replace("END", 'if frame == 400 then error "late" end'))
  const env = { ...process.env, XDG_DATA_HOME: join(scratch, "data") }
  assert.equal(spawnSync(PLAYER, ["--headless", "--release", folder], { env }).status, 1)
  const stored = join(scratch, "data/spawnpool", readdirSync(join(scratch, "data/spawnpool"))[0])
  const zip = new Uint8Array(readFileSync(join(stored, zipIn(stored))))
  const files = [...readZip(zip).files].map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")])
  assert.deepEqual(await playAlone(files), [1, 1, 0], "the timeline is open; one hash, none differs")

  const other = await browser.visit()
  await other.open()
  await other.plays()
  const input = await other.page.$("#file-input")
  await other.playsAfter(() => input.uploadFile(join(stored, zipIn(stored))))
  await until("the error at its end", async () => (await other.text("#log")).includes("late"))
  await other.shot("bug")
  await other.close()
})

test("a game that was edited meanwhile is edited again on the page", only, async () => {
  const folder = join(scratch, "edited"),
    versions = ["local SPEED = 1", "local SPEED = = 1", "local SPEED = 3"],
    main = (i) => `${versions[i]}\n${MAIN.replace("END", "dot(frame * SPEED, SPEED, '')")}`,
    input = join(folder, "recording.input")
  mkdirSync(folder)
  writeFileSync(join(folder, "main.lua"), main(0))
  const run = spawn(PLAYER, ["--headless", "--realtime", "--frames", "240", "--record-input", input, folder])
  let said = ""
  for (const stream of [run.stdout, run.stderr]) stream.on("data", (data) => (said += data))
  for (const [i, answer] of [/^$/, /still running the previous/, /reloaded main\.lua/].entries()) {
    if (i > 0) writeFileSync(join(folder, "main.lua"), main(i))
    await until(`version ${i}`, () => answer.test(said))
    await sleep(300)
  }
  assert.equal(await new Promise((done) => run.on("exit", done)), 0)
  const files = ["main.lua", "recording.input"].map((name) => [name, readFileSync(join(folder, name)).toString("base64")])
  assert.deepEqual(await playAlone(files), [1, 5, 0], "five hashes, none differs")
})

test("a bug file of the page ends in the same state on the desktop, and travels in a link", only, async () => {
  const visit = await browser.visit()
  await visit.open(await linkOf(MAIN.replace("END", ""), "own"))
  await visit.plays()
  await until("two seconds", async () => Number(await visit.lua("pools.time")) > 2)
  const session = await visit.page.createCDPSession()
  await session.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: scratch,
    browserContextId: visit.page.browserContext().id,
  })
  await visit.page.click('[data-key="f9"]')
  const name = await until("a .zip", () => zipIn(scratch))
  assert.match(name, /^own-\d{14}\.zip$/)
  assert.match(await sentence(visit), /is saved/)
  const { status, stderr } = spawnSync(PLAYER, ["--headless", join(scratch, name)], { encoding: "utf8" })
  assert.match(stderr, /1 hash, all as recorded/)
  assert.equal(status, 0)
  const texts = execFileSync("unzip", ["-Z1", join(scratch, name)], { encoding: "utf8" })
  assert.match(texts, /README\.txt[^]*recording\.input/)
  const link = await visit.page.evaluate(() => location.hash)
  await visit.close()
  const other = await browser.visit()
  await other.open(link)
  await other.plays()
  await other.shot("bug-link")
  await other.close()
})

test("a stranger finds a sentence, a game, a number to drag, and the way on", async () => {
  const visit = await browser.visit({ width: 1280, height: 800 })
  await visit.open()
  await visit.plays()
  assert.match(await visit.text(".hero h1"), /Lua/)
  await visit.content
  const number = await until("the marked number", () => visit.page.$("#editor >>> .marked"))
  assert.equal(await number.evaluate((it) => it.textContent), "260")
  const { x, y } = await number.boundingBox()
  await visit.page.mouse.move(x + 5, y + 5)
  await visit.page.mouse.down()
  await visit.page.mouse.move(x + 65, y + 5, { steps: 12 })
  await visit.page.mouse.up()
  assert.match(await visit.code(), /SPEED <const> = 410/)
  await visit.state("good")
  await visit.shot("first")
  await visit.playsAfter(() => visit.page.click("#new"))
  assert.match(await visit.code(), /A new game/)
  const docs = await visit.page.evaluate(async () => (await fetch("docs/guide.html")).status)
  assert.equal(docs, 200)
  await visit.page.click("#pick")
  await until("thumbnails", () =>
    visit.page.evaluate(
      () => [...document.querySelectorAll("#game-list img")].filter((it) => it.naturalWidth > 0).length > 2,
    ),
  )
  await visit.close()
})

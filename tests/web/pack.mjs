// Games as `spawnpool pack --for web` writes them: each computes on its page what it computes elsewhere.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { after, before, test } from "node:test"

import { difference, GAMES, ROOT, SITE, until, useBrowser } from "./browser.mjs"

const PAGE = `${ROOT}demo/web/page`
const { build } = createRequire(`${PAGE}/`)("esbuild")
const folder = mkdtempSync(`${SITE}-pack-`)
const browser = useBrowser({ before, after }, { site: folder })
after(() => rmSync(folder, { recursive: true }))

const player = (...words) => execFileSync(`${ROOT}build/spawnpool`, words, { encoding: "utf8" })

/** Packs a game, and unpacks its page into `folder`. */
function pack(path, name) {
  player("pack", "--for", "web", "--out", folder, path)
  execFileSync("unzip", ["-q", `${folder}/${name}-web.zip`, "-d", `${folder}/${name}`])
}

/** Visits the page of a packed game. */
async function visitPacked(path, name) {
  pack(path, name)
  const visit = await browser.visit({ width: 800, height: 600 })
  await visit.open(`${name}/index.html`)
  await until("the game", () => visit.page.$eval("#wait", (element) => element.hidden))
  return visit
}

const FRAMES = 600
const SLOW = { search_vs_queue: 120 } // frames of a game that computes as much as it can in each

// A worker plays a recording without drawing. The files of the game and the player are those of the package.
const WORKER = `import { readZip } from "./archive.js"
onmessage = async ({ data: { name, recording, frames } }) => {
  const player = await import("./" + name + "/instance.js")
  await player.open()
  const zip = await (await fetch(name + "/game.zip")).arrayBuffer()
  for (const [path, bytes] of readZip(new Uint8Array(zip)).files) player.write("/games/" + name + "/" + path, bytes)
  for (const font of ["DejaVuSans.ttf", "DejaVuSansMono.ttf"]) { // a game may measure text
    const bytes = await (await fetch(name + "/fonts/" + font)).arrayBuffer()
    player.write("/usr/share/fonts/truetype/dejavu/" + font, new Uint8Array(bytes))
  }
  player.write("/recording.input", recording)
  const more = String(frames + 1) // the last hash is compared then
  await player.play("/games/" + name, ["--headless", "--replay", "/recording.input", "--frames", more])
  let seen
  do seen = ["frame", "hashes", "differing"].map(player.figure)
  while (player.frame())
  postMessage(seen)
}`

/** In the page: returns the last frame, how many hashes were compared until then, and how many differed. */
const playRecording = (message) =>
  new Promise((done, failed) => {
    const worker = new Worker("recording.js", { type: "module" })
    worker.onmessage = ({ data }) => done(data)
    worker.onerror = (event) => failed(new Error(event.message))
    worker.postMessage(message)
  })

test("packed games compute what they do on the desktop, for 600 frames of a recording", async () => {
  writeFileSync(`${folder}/recording.js`, WORKER)
  writeFileSync(`${folder}/index.html`, '<!doctype html><link rel="icon" href="data:,">')
  await build({ entryPoints: [`${PAGE}/src/archive.js`], bundle: true, format: "esm", outdir: folder })
  const visit = await browser.visit(),
    games = [...GAMES],
    seen = {}
  await visit.open()
  const playSome = async () => {
    for (let name = games.pop(); name; name = games.pop()) {
      const path = `${ROOT}scripts/${name}`
      const [first] = readdirSync(`${path}/recordings`).sort()
      pack(path, name)
      cpSync(`${PAGE}/src/instance.js`, `${folder}/${name}/instance.js`)
      const recording = readFileSync(`${path}/recordings/${first}`, "utf8")
      seen[name] = await visit.page.evaluate(playRecording, { name, recording, frames: SLOW[name] ?? FRAMES })
    }
  }
  await Promise.all([playSome(), playSome()]) // two at a time
  for (const name of GAMES) {
    const [frame, hashes, differing] = seen[name],
      frames = SLOW[name] ?? FRAMES
    assert.ok(frame >= frames && hashes >= frames / 60 && differing === 0, `${name}: ${seen[name]}`)
  }
  await visit.close()
})

test("a packed game plays alone on its page", async () => {
  const visit = await visitPacked(`${ROOT}demo/newgame`, "newgame")
  const first = await visit.pixels("#canvas")
  assert.ok(new Set(first).size > 20, `${new Set(first).size} colours`)
  await until("something moves", async () => difference(first, await visit.pixels("#canvas")) > 0)
  assert.equal(await visit.shown("#trouble"), false, await visit.text("#trouble"))
  await visit.shot("packed-newgame")
  await visit.close()
})

// Nothing random, and no input.
const MAIN = `local spawnpool <const> = require "spawnpool"
local pools <const>, frame = spawnpool.pools, 0
spawnpool.class("Ball", { limit = 90, overflow = "oldest", motion = { gravity = 300 },
  bounds = { x = 0, y = 0, w = 800, h = 600, outside = "bounce" }, over_life = { scale = { 1, 0.2 } } })
return { width = 800, height = 600, update = function()
  frame = frame + 1
  if frame % 3 == 0 then
    local ball <const> = pools:alloc("Ball", 2.5, 400 + 200 * math.sin(frame), 90)
    ball:launch(frame, 250)
  end
  if frame == 600 then
    local hash <const> = ("%x"):format(pools:hash())
    spawnpool.window.title = hash
    print(hash)
  end
end }`

test("a packed game computes on its page, drawn, what it does on the machine that packed it", async () => {
  mkdirSync(`${folder}/game/balls`, { recursive: true })
  writeFileSync(`${folder}/game/balls/main.lua`, MAIN)
  const hash = player("--headless", "--frames", "600", `${folder}/game/balls`).trim()
  const visit = await visitPacked(`${folder}/game/balls`, "balls")
  await until("frame 600", async () => /^[0-9a-f]{8,16}$/.test(await visit.page.title()))
  assert.equal(await visit.page.title(), hash)
  await visit.close()
})

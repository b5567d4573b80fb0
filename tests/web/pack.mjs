// Games as `spawnpool pack --for web` writes them: each plays on its page alone, and computes what it computes elsewhere.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { after, before, test } from "node:test"

import { difference, ROOT, SITE, until, useBrowser } from "./browser.mjs"

const folder = mkdtempSync(`${SITE}-pack-`)
const browser = useBrowser({ before, after }, { site: folder })
after(() => rmSync(folder, { recursive: true }))

const player = (...words) => execFileSync(`${ROOT}build/spawnpool`, words, { encoding: "utf8" })

/** Packs a game, unpacks its page, and visits that. */
async function visitPacked(path, name) {
  player("pack", "--for", "web", "--out", folder, path)
  execFileSync("unzip", ["-q", `${folder}/${name}-web.zip`, "-d", `${folder}/${name}`])
  const visit = await browser.visit({ width: 800, height: 600 })
  await visit.open(`${name}/index.html`)
  await until("the game", () => visit.page.$eval("#wait", (element) => element.hidden))
  return visit
}

for (const name of readdirSync(`${ROOT}scripts`).filter((one) => existsSync(`${ROOT}scripts/${one}/main.lua`))) {
  test(`${name} plays, packed`, async () => {
    const visit = await visitPacked(`${ROOT}scripts/${name}`, name)
    const first = await visit.pixels("#canvas")
    assert.ok(new Set(first).size > 20, `${new Set(first).size} colours`)
    await until("something moves", async () => difference(first, await visit.pixels("#canvas")) > 0)
    assert.equal(await visit.shown("#trouble"), false, await visit.text("#trouble"))
    await visit.shot(`packed-${name}`)
    await visit.close()
  })
}

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

test("a packed game computes what it does on the machine that packed it", async () => {
  mkdirSync(`${folder}/game/balls`, { recursive: true })
  writeFileSync(`${folder}/game/balls/main.lua`, MAIN)
  const hash = player("--headless", "--frames", "600", `${folder}/game/balls`).trim()
  const visit = await visitPacked(`${folder}/game/balls`, "balls")
  await until("frame 600", async () => /^[0-9a-f]{8,16}$/.test(await visit.page.title()))
  assert.equal(await visit.page.title(), hash)
  await visit.close()
})

// The page in Firefox, where that and Xvfb are installed: a game plays, an edit goes live, what is wrong is shown, and
// the timeline goes back. The other files try everything in Chromium.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"

import { difference, HAS_FIREFOX, linkOf, QUIET, sleep, until, useBrowser } from "./browser.mjs"

const only = HAS_FIREFOX ? {} : { skip: "firefox-esr and xvfb are not installed" }
const browser = HAS_FIREFOX ? useBrowser({ before, after }, { kind: "firefox" }) : null

test("Firefox plays a game, and an edit goes live", only, async () => {
  const visit = await browser.visit()
  await visit.open("#game=shooter")
  await visit.plays()
  const first = await visit.pixels()
  assert.ok(new Set(first).size > 20, `${new Set(first).size} colours`)
  await until("something moves", async () => difference(first, await visit.pixels()) > 0)
  assert.equal(await visit.stretch(), 0, "a pixel of the game is a pixel of the screen")
  await visit.lua("(function() kept = require('spawnpool').pools:alloc('Keepsake', 0) return 1 end)()")
  await visit.openFile("stage.lua")
  await visit.typeFirst("typed_by_hand = 42\n")
  assert.match(await visit.state("good"), /^reloaded stage\.lua .* kept/)
  assert.equal(await visit.lua("typed_by_hand, kept.alive"), "42\ttrue")
  await visit.typeFirst("x = = 3\n")
  await until("the problem below the code", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^stage\.lua:1: .*unexpected symbol/)
  await visit.shot("firefox")
  await visit.close()
})

test("Firefox stops an endless loop, and a fix continues", only, async () => {
  const visit = await browser.visit()
  const update = "function game.update() while not fixed do end turns = (turns or 0) + 1 end"
  await visit.open(await linkOf(`${QUIET}${update}\nreturn game\n`))
  await until("the problem below the code", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^main\.lua:3: stopped: it ran for more than 1\.5 s/)
  await visit.typeFirst("fixed = true\n")
  await until("the game runs", async () => Number(await visit.lua("turns or 0")) > 5)
  await visit.close()
})

test("Firefox goes back in time", only, async () => {
  const visit = await browser.visit()
  await visit.open(await linkOf(`${QUIET}n = 0\nfunction game.update() n = n + 1 end\nreturn game`))
  await visit.plays()
  await until("some frames", async () => Number(await visit.lua("n")) > 150)
  await visit.page.click('[data-key="f10"]')
  const standing = (than) =>
    until("it stands still", async () => {
      const now = Number(await visit.lua("n"))
      await sleep(200)
      return now < than && Number(await visit.lua("n")) === now && now
    })
  const present = await standing(Infinity)
  await (await visit.player).evaluate(() => document.getElementById("canvas").focus())
  await visit.page.keyboard.press("ArrowLeft")
  const past = await standing(present)
  await visit.page.keyboard.press("Enter")
  await until("it goes on from there", async () => Number(await visit.lua("n")) > past)
  await visit.close()
})

// The page in a browser: bad input is a sentence on the page, and nothing hangs.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"

import { LIMITS, writeZip } from "../../demo/web/page/src/archive.js"
import { bytes, drop, linkOf, QUIET, sentence, until, useBrowser } from "./browser.mjs"

const browser = useBrowser({ before, after })

const lacking = [
  [
    "no WebAssembly",
    () => {
      delete globalThis.WebAssembly
    },
    /no WebAssembly/,
  ],
  [
    "no SIMD",
    () => {
      WebAssembly.validate = () => false
    },
    /no SIMD/,
  ],
  [
    "no WebGL",
    () => {
      const original = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return /webgl/.test(kind) ? null : original.call(this, kind, ...rest)
      }
    },
    /no WebGL/,
  ],
]
for (const [name, before, pattern] of lacking) {
  test(name, async () => {
    const visit = await browser.visit({ before })
    await visit.open("#game=cubes")
    assert.match(await sentence(visit), pattern)
    await until("the editor", async () => (await visit.page.$("#editor >>> .cm-content")) !== null)
    await visit.close()
  })
}

test("refused storage is told, and the game plays", async () => {
  const visit = await browser.visit({
    before: () => {
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("refused", "SecurityError")
        },
      })
    },
  })
  await visit.open("#game=cubes")
  await visit.plays()
  await until("a sentence", async () => /refuses storage/.test(await visit.text("#log")))
  await visit.page.click("#theme")
  await visit.close()
})

test("what a game stores is there again", async () => {
  const visit = await browser.visit(),
    link = await linkOf(`${QUIET}return game`, "saver")
  await visit.open(link)
  await visit.plays()
  assert.match(await visit.lua("require('spawnpool').storage.save('best', 77)"), /^true/)
  await until("it is written", () =>
    visit.page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("spawnpool.saved:"))),
  )
  await visit.page.reload()
  await visit.plays()
  assert.match(await visit.lua("require('spawnpool').storage.load('best')"), /^77/)
  await visit.close()
})

test("a game at the limit of its memory ends with a sentence, and the page lives", async () => {
  const visit = await browser.visit()
  await visit.open(
    await linkOf(
      `${QUIET}local t <const> = {}\nfunction game.update()\n` +
        '  for i = 1, 40 do t[#t + 1] = ("x"):rep(1000000) .. #t end\nend\nreturn game',
    ),
  )
  await until("a sentence", async () => /memory/.test(await visit.text("#log")))
  await visit.page.click("#restart")
  await visit.close()
})

test("broken links and games that are none are told, and a game plays", async () => {
  const link = await linkOf(`${QUIET}return game`)
  for (const [fragment, pattern] of [
    [link.slice(0, -9), /broken/],
    ["#game=no_such", /no game/],
    ["#edit=%%%", /broken/],
  ]) {
    const visit = await browser.visit()
    await visit.open(fragment)
    assert.match(await sentence(visit), pattern)
    await visit.plays()
    assert.equal(await visit.text("#pick-name"), "shooter")
    visit.errors = visit.errors.filter((line) => !/404/.test(line)) // the browser's own line on a missing file
    await visit.close()
  }
})

test("a .zip bomb and a text are refused, and the game plays on", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  const bomb = writeZip("x", new Map([["main.lua", new Uint8Array(LIMITS.bytes + 1)]]))
  for (const [content, pattern] of [
    [bomb, /more than 64 MiB/],
    [bytes("hello"), /damaged/],
  ]) {
    await drop(visit, content, "game.zip")
    await until(String(pattern), async () => pattern.test(await visit.text("#toast")))
  }
  assert.equal(await visit.text("#pick-name"), "cubes")
  const time = Number(await visit.lua("require('spawnpool').pools.time"))
  await until("the game goes on", async () => Number(await visit.lua("require('spawnpool').pools.time")) > time)
  await visit.close()
})

test("the policy of the page admits no foreign code", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  for (const frame of [visit.page.mainFrame(), await visit.player]) {
    assert.equal(
      await frame.evaluate(() => {
        const script = document.createElement("script")
        script.textContent = "window.injected = 1"
        document.head.append(script)
        return window.injected ?? 0
      }),
      0,
    )
    await until("the refusal", () => visit.errors.some((line) => /Content Security Policy/.test(line)))
  }
  visit.errors = []
  await visit.close()
})

// The page in a browser: every game, edits, links, .zip files, touch, and bad input. `make web-test` runs it after
// `make web`; pictures to look at are in build/web-shots.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { after, before, test } from "node:test"
import { brotliCompressSync } from "node:zlib"

import { LIMITS, readZip, writeZip } from "../../demo/web/page/src/archive.js"
import { writeLink } from "../../demo/web/page/src/link.js"
import { Browser, ROOT, SITE, sleep, until } from "./browser.mjs"

const bytes = (text) => new TextEncoder().encode(text)
const browser = new Browser()
const scratch = mkdtempSync(join(tmpdir(), "spawnpool-web-"))

before(() => browser.start())
after(async () => {
  await browser.stop()
  rmSync(scratch, { recursive: true })
})

/** The link of a game of one file. */
const linkOf = (main, name = "own") =>
  writeLink({ name, base: null, files: new Map([["main.lua", bytes(main)]]), removed: [] })

const QUIET = 'local spawnpool <const> = require "spawnpool"\nlocal game <const> = {}\n'

/** The sentence on the page, in a toast or in the frame of the player. */
async function sentence(visit) {
  return until("a sentence on the page", async () => {
    if (await visit.shown("#toast")) return visit.text("#toast")
    const frame = visit.page.frames().find((one) => one.url().includes("player.html"))
    return frame
      ?.evaluate(() => !document.getElementById("trouble").hidden && document.querySelector("#trouble p").textContent)
      .catch(() => null)
  })
}

// {== Playing ===================================================================

for (const game of readdirSync(`${ROOT}scripts`).filter((name) => existsSync(`${ROOT}scripts/${name}/main.lua`))) {
  test(`${game} plays`, async () => {
    const visit = await browser.visit()
    await visit.open(`#game=${game}`)
    await visit.plays()
    await sleep(5000)
    const { colours, changed } = await visit.picture()
    assert.ok(colours > 20 && changed > 0, `${colours} colours, ${changed} of 10000 points moved`)
    assert.ok(Number(await visit.lua("require('spawnpool').pools.time")) > 0.5)
    assert.equal(await visit.shown("#problem"), false, await visit.text("#problem"))
    await visit.shot(game)
    await visit.close()
  })
}

test("the first load is small, and the first frame comes soon", async () => {
  browser.requests = []
  const visit = await browser.visit()
  await visit.open()
  await visit.plays()
  const time = await visit.page.evaluate(() => document.body.dataset.frame)
  await sleep(500)
  const paths = [...new Set(browser.requests)].map((path) => (path === "/" ? "/index.html" : path))
  const size = (path) =>
    (path.endsWith(".zip") ? readFileSync(SITE + path) : brotliCompressSync(readFileSync(SITE + path))).length
  const sizes = paths.filter((path) => existsSync(SITE + path)).map((path) => [path, size(path)])
  const sum = (filter) => sizes.filter(([path]) => filter(path)).reduce((total, [, size]) => total + size, 0)
  const all = sum(() => true),
    program = sum((path) => /\.(html|css|js|mjs|wasm|svg)$/.test(path))
  const kb = (count) => `${Math.round(count / 1000)} KB`
  console.log(`first frame after ${time} ms; first load ${kb(all)}, of which page, editor and WebAssembly ${kb(program)}`)
  console.log(
    sizes
      .sort((a, b) => b[1] - a[1])
      .slice(0, 8)
      .map(([path, size]) => `  ${size} ${path}`)
      .join("\n"),
  )
  assert.ok(program <= 750e3, `page, editor and WebAssembly have ${program} bytes, and 750000 are the limit`)
  assert.ok(all <= 1.5e6, `the first load has ${all} bytes, and 1500000 are the limit`)
  await visit.close()
})

test("the player's tools open by their buttons", async () => {
  const visit = await browser.visit()
  await visit.open(await linkOf(`${QUIET}function game.key_pressed(key) print("pressed", key) end\nreturn game`))
  await visit.plays()
  const before = await visit.picture()
  assert.equal(before.changed, 0, "nothing moves in this game")
  for (const key of ["f2", "f3", "f10"]) {
    await visit.page.click(`[data-key="${key}"]`)
    await until(`a picture after ${key}`, async () => (await visit.picture()).colours > before.colours)
    await visit.shot(`tool-${key}`)
    if (key !== "f2") await visit.page.keyboard.press("Escape")
  }
  await visit.close()
})

test("the game follows the size of the page", async () => {
  const visit = await browser.visit()
  await visit.open("#game=shooter")
  await visit.plays()
  for (const [width, height] of [
    [1100, 700],
    [500, 900],
  ]) {
    await visit.page.setViewport({ width, height })
    const wide = await (await visit.player).evaluate(() => document.getElementById("canvas").clientWidth)
    await until(`a view of ${wide} points`, async () => Number(await visit.lua("require('stage').width")) === wide)
    assert.ok(await visit.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out")
  }
  await visit.close()
})

test("light and dark follow the system, and the button", async () => {
  const visit = await browser.visit(),
    ground = () => visit.page.$eval("body", (body) => getComputedStyle(body).backgroundColor)
  await visit.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }])
  await visit.open("#game=cubes")
  const dark = await ground()
  await visit.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }])
  const light = await ground()
  assert.notEqual(dark, light)
  await visit.page.click("#theme")
  assert.equal(await ground(), dark)
  await visit.page.reload()
  assert.equal(await ground(), dark, "the choice stays")
  await visit.close()
})

// }==

// {== Editing ===================================================================

test("a typed edit goes live, and live objects are kept", async () => {
  const visit = await browser.visit()
  await visit.open("#game=shooter")
  await visit.plays()
  await visit.lua("(function() kept = require('spawnpool').pools:alloc('Keepsake', 0) end)()")
  await visit.openFile("stage.lua")
  await visit.typeFirst("typed_by_hand = 42\n")
  assert.match(await visit.state("good"), /^reloaded stage\.lua .* kept/)
  assert.equal(await visit.lua("typed_by_hand, kept.alive"), "42\ttrue")
  assert.match(await visit.page.$eval("[data-path='stage.lua']", (row) => row.className), /changed/)
  await visit.close()
})

test("a syntax error is shown at its line, and the game goes on", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  await visit.openFile("stage.lua")
  await visit.typeFirst("x = = 3\n")
  await visit.state("bad")
  await until("the problem below the code", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^stage\.lua:1: .*unexpected symbol/)
  assert.ok(await visit.page.$("#editor >>> .cm-lintRange-error"), "underlined")
  assert.equal(await visit.page.$eval("[data-path='stage.lua'] em", (badge) => badge.textContent), "1")
  const time = Number(await visit.lua("require('spawnpool').pools.time"))
  await until("the game goes on", async () => Number(await visit.lua("require('spawnpool').pools.time")) > time)
  await visit.shot("syntax-error")
  await visit.page.click("#revert-file")
  await until("no problem", async () => !(await visit.shown("#problem")))
  await visit.close()
})

test("--check finds problems that the running game does not meet", async () => {
  const visit = await browser.visit()
  const spark = bytes('return require("spawnpool").class("Spark", { prealoc = 3 })\n')
  await visit.open(
    await writeLink({
      name: "own",
      base: null,
      removed: [],
      files: new Map([
        ["main.lua", bytes(`${QUIET}return game`)],
        ["pools/Spark.lua", spark],
      ]),
    }),
  )
  await visit.plays()
  await until("the problem of the check", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^pools\/Spark\.lua:1: .*prealoc/)
  await visit.page.click("#problem")
  assert.equal(await visit.text("#path"), "pools/Spark.lua")
  await visit.close()
})

test("an endless loop is stopped, and a fix continues with all objects", async () => {
  const visit = await browser.visit()
  const good =
    `${QUIET}function game.load() kept = spawnpool.pools:alloc("Ball", 0, 5, 5) end\n` +
    "function game.update() turns = (turns or 0) + 1 end\nreturn game\n"
  await visit.open(await linkOf(good))
  await visit.plays()
  await visit.page.evaluate(() => {
    window.gap = 0
    let last = performance.now()
    const measure = (now) => {
      window.gap = Math.max(window.gap, now - last)
      last = now
      requestAnimationFrame(measure)
    }
    requestAnimationFrame(measure)
  })
  await visit.paste(good.replace("turns = (turns or 0) + 1", "while true do end"))
  await until("the problem below the code", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^main\.lua:\d+: .*(too long|seconds)/)
  console.log(`the page stood still for ${(await visit.page.evaluate(() => window.gap)).toFixed(0)} ms at most`)
  await visit.paste(good)
  await until("no problem", async () => !(await visit.shown("#problem")))
  const turns = Number(await visit.lua("turns"))
  await until("the game goes on", async () => Number(await visit.lua("turns")) > turns)
  assert.equal(await visit.lua("kept.alive"), "true")
  await visit.close()
})

test("the editor completes, and undoes", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  await visit.openFile("stage.lua")
  const before = await visit.code()
  await visit.typeFirst("spawnpool.pools:al")
  await until("a completion", async () => (await visit.page.$("#editor >>> .cm-tooltip-autocomplete")) !== null)
  await sleep(150)
  await visit.page.keyboard.press("Enter")
  await until("alloc", async () => (await visit.code()).startsWith("spawnpool.pools:alloc"))
  for (let i = 0; i < 30 && (await visit.code()) !== before; i++) await visit.chord("Control", "z")
  assert.equal(await visit.code(), before)
  await visit.close()
})

// }==

// {== Sharing ===================================================================

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

const drop = (visit, content, name) =>
  visit.page.evaluate(
    (text, fileName) => {
      const transfer = new DataTransfer(),
        data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
      transfer.items.add(new File([data], fileName))
      dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }))
    },
    Buffer.from(content).toString("base64"),
    name,
  )

test("another page embeds a game by its element", async () => {
  const visit = await browser.visit()
  await visit.open("icon.svg")
  await visit.page.setContent("<spawnpool-game></spawnpool-game>")
  await visit.page.evaluate(async (url) => {
    const game = document.querySelector("spawnpool-game")
    game.setAttribute("src", `${url}games/cubes.zip`)
    game.addEventListener("game-frame", () => {
      document.body.dataset.frame = 1
    })
    await import(`${url}spawnpool-game.js`)
  }, visit.url)
  await visit.plays()
  await sleep(500)
  await visit.shot("embedded")
  await visit.close()
})

// }==

// {== Touch =====================================================================

test("fingers press keys, and touch the game", async () => {
  const visit = await browser.visit({ touch: true, width: 390, height: 844 })
  await visit.open("#game=shooter")
  await visit.plays()
  const held = () => visit.lua("require('spawnpool').input.down('right'), require('spawnpool').input.down('space')")
  const pad = await (await visit.page.$(".pad")).boundingBox(),
    touch = visit.page.touchscreen
  const finger = await touch.touchStart(pad.x + pad.width * 0.9, pad.y + pad.height / 2)
  await until("right is held", async () => (await held()) === "true\tfalse")
  const space = await (await visit.page.$("[data-name='space']")).boundingBox()
  const second = await touch.touchStart(space.x + space.width / 2, space.y + space.height / 2)
  await until("both are held", async () => (await held()) === "true\ttrue")
  await second.end()
  await finger.end()
  await until("nothing is held", async () => (await held()) === "false\tfalse")
  const screen = await (await visit.page.$("#screen")).boundingBox()
  await touch.tap(screen.x + 100, screen.y + 120)
  await until("the mouse is there", async () =>
    /^(99|100|101)\t(119|120|121)\b/.test(await visit.lua("require('spawnpool').input.mouse()")),
  )
  await visit.shot("phone")
  await visit.close()
})

// }==

// {== Bad input: a sentence, and nothing hangs ==================================

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

// }==

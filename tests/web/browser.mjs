// What the tests of the page share: one server, one browser, pages that collect what goes wrong in them. A test is what
// is done in a page where a game plays:
//
//   playing("an edit goes live", "#game=cubes", async (visit) => {
//     await visit.typeFirst("x = 1\n")
//     assert.equal(await visit.lua("x"), "1")
//   })
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { fileURLToPath } from "node:url"

import { writeLink } from "../../demo/web/page/src/link.js"

export const ROOT = fileURLToPath(new URL("../../", import.meta.url))
export const SITE = process.env.SP_WEB ?? `${ROOT}build/web`
const SHOTS = `${SITE}-shots`
const WAIT = Number(process.env.SP_WAIT ?? 60000) // milliseconds: machines may be slow

// Otherwise puppeteer takes sandboxed frames their process away.
process.env.PUPPETEER_TEST_EXPERIMENTAL_CHROME_FEATURES = "true"
const require = createRequire(new URL("../../demo/web/page/", import.meta.url))
const puppeteer = (await import(require.resolve("puppeteer-core"))).default
const { context } = require("esbuild")
const found = (...paths) => paths.find((path) => path && existsSync(path))
const CHROMIUM = found(
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
)
const FIREFOX = found(process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox")
// Chromium loads the menu of its address bar, some 400 files, beside the first page of each new context.
const POPUPS = "WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup"
const SILENT = "--autoplay-policy=document-user-activation-required" // headless, everything may sound by default
const XVFB = found("/usr/bin/Xvfb") // Firefox has WebGL only on a display
const ALIVE = "require('spawnpool').pools.time"

/** Tries until `work` returns something true, and returns that. */
export async function until(what, work) {
  const end = Date.now() + WAIT
  for (;;) {
    const value = await work()
    if (value) return value
    if (Date.now() > end) assert.fail(`in vain: ${what}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

// {== Games and files ===========================================================

/** The names of the games that come with the page. */
export const GAMES = readdirSync(`${ROOT}scripts`).filter((name) => existsSync(`${ROOT}scripts/${name}/main.lua`))

export const bytes = (text) => new TextEncoder().encode(text)

/** Files by path, of texts by path. */
export const filesOf = (texts) => new Map(Object.entries(texts).map(([path, text]) => [path, bytes(text)]))

/** The link of a game of files, or of one. */
export const linkOf = (game, name = "own") => {
  const files = filesOf(typeof game === "string" ? { "main.lua": game } : game)
  return writeLink({ name, base: null, files, removed: [] })
}

/** The begin of a game in which nothing happens. */
export const QUIET = 'local spawnpool <const> = require "spawnpool"\nlocal game <const> = {}\n'

/** In the page: it waits longer for a game before it is said to hang; for games that compute, on a busy machine. */
export function patient() {
  const every = globalThis.setInterval
  globalThis.setInterval = (work, time, ...rest) => every(work, time === 250 ? 20 * time : time, ...rest)
}

/** A folder of a file of tests. */
export function scratchFolder(prefix = join(tmpdir(), "spawnpool-web-")) {
  const folder = mkdtempSync(prefix)
  after(() => rmSync(folder, { recursive: true }))
  return folder
}

// }==

/** A page, with its game. */
export class Visit {
  #marks = 0
  errors = []
  foreign = []

  constructor(page, url) {
    this.page = page
    this.url = url
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text())
    })
    page.on("pageerror", (error) => this.errors.push(String(error?.stack ?? error)))
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) this.foreign.push(request.url())
    })
  }

  /** Opens the page with a fragment, or with the link of the Lua of a main.lua; that is told to play, unless `asks`. */
  async open(game = "", { asks = false } = {}) {
    const path = /^(|[#?].*|[\w./-]+)$/.test(game) ? game : await linkOf(game)
    await this.page.goto(this.url + path)
    if (path.includes("edit=") && !asks) await this.press("Play", "#gate")
    return this
  }

  /** Opens a page of the test's own, beside which are the page's files. */
  async openOwn(html) {
    await this.page.setRequestInterception(true)
    this.page.on("request", (request) => {
      const url = request.url()
      if (url.endsWith("/own.html")) request.respond({ contentType: "text/html", body: html })
      else if (url.endsWith("/favicon.ico")) request.respond({ status: 204 })
      else request.continue()
    })
    return this.open("own.html")
  }

  /** Waits for the first frame of the game. */
  async plays() {
    const seen = () => this.page.evaluate(() => document.body.dataset.frame)
    await until("the first frame", seen).catch(async ({ message }) => {
      assert.fail(`${message}: ${await this.text("#gate")} ${await this.text("#log")}`)
    })
    return this
  }

  /** Another tab of the same browser. */
  async again() {
    const page = await this.page.browserContext().newPage()
    await page.setViewport(this.page.viewport())
    return new Visit(page, this.url)
  }

  /** The link that the page copies. */
  async link() {
    await this.page.click("#share")
    await this.page.click("#copy-link")
    const link = await until("a link", () => this.page.$eval("#link", ({ value }) => value))
    await this.page.$eval("#link-window", (element) => element.close())
    return new URL(link).hash
  }

  /** Whether the edits that were made are in the browser's storage. */
  kept() {
    return this.page.evaluate(() => {
      const asks = !dispatchEvent(new Event("beforeunload", { cancelable: true }))
      return !asks
    })
  }

  /** Whether a game or an edit has started and not come back. */
  isMarked() {
    return this.page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("spawnpool.starting:")))
  }

  /** What lies over the stage: its text. */
  gate() {
    return until("a question over the stage", async () => (await this.shown("#gate")) && this.text("#gate"))
  }

  /** Clicks a button by its text. */
  press(label, within = "") {
    return until(`the button ${label}`, () =>
      this.page.evaluate(
        (text, host) => {
          const all = [...document.querySelectorAll(`${host} button`)]
          const found = all.find((button) => button.textContent.startsWith(text) && button.checkVisibility())
          found?.click()
          return Boolean(found)
        },
        label,
        within,
      ),
    )
  }

  /** By how many milliseconds the page answers late, at most, during a time. */
  worstGap(during) {
    return this.page.evaluate(async (time) => {
      let last = performance.now(),
        worst = 0
      const end = last + time
      while (last < end) {
        await new Promise((done) => setTimeout(done, 5))
        const now = performance.now()
        worst = Math.max(worst, now - last - 5)
        last = now
      }
      return worst
    }, during)
  }

  /** Waits for the first frame after whatever `work` does. */
  async playsAfter(work) {
    await this.page.evaluate(() => {
      delete document.body.dataset.frame
    })
    await work()
    return this.plays()
  }

  get player() {
    return until("the player's frame", () => this.page.frames().find((frame) => frame.url().includes("player.html")))
  }

  text(selector) {
    return this.page.$eval(selector, (element) => element.innerText || element.textContent)
  }

  shown(selector) {
    return this.page.$eval(selector, (element) => !element.hidden)
  }

  /** Runs Lua in the console, and returns what it prints. */
  async lua(expression) {
    const mark = `@${(this.#marks += 1)}`
    await this.page.evaluate((line) => {
      document.getElementById("line").value = line
      document.getElementById("prompt").requestSubmit()
    }, `print("${mark}", ${expression})`)
    const find = (wanted) =>
      [...document.querySelectorAll("#log .print")]
        .map((row) => row.textContent)
        .find((row) => row.startsWith(`${wanted}\t`))
    return (await until(`print of ${expression}`, () => this.page.evaluate(find, mark))).slice(mark.length + 1)
  }

  number(expression) {
    return this.lua(expression).then(Number)
  }

  /** Waits until a number of the game has grown. */
  async grows(expression = ALIVE) {
    const first = await this.number(expression)
    await until(`${expression} grows`, async () => (await this.number(expression)) > first)
  }

  /** Waits until a number that is less than `than` does not change for a while; returns it. */
  rests(expression, than = Infinity) {
    return until(`${expression} rests`, async () => {
      const now = await this.number(expression)
      await new Promise((done) => setTimeout(done, 200))
      return now < than && (await this.number(expression)) === now && now
    })
  }

  /** Keys go to the game. */
  async focusGame() {
    await (await this.player).evaluate(() => document.getElementById("canvas").focus())
  }

  /** Waits until keys go to the game, without a click on it. */
  async hasKeys() {
    const has = () => document.hasFocus() && document.activeElement.id === "canvas"
    await until("keys go to the game", async () => (await this.player).evaluate(has).catch(() => false))
  }

  /** The problem below the code. */
  problem() {
    return until("the problem below the code", async () => (await this.shown("#problem")) && this.text("#problem"))
  }

  /** Waits until there is no problem. */
  async isFine() {
    await until("no problem", async () => !(await this.shown("#problem")))
  }

  /** The sentence on the page, in a toast or in the frame of the player. */
  sentence() {
    return until("a sentence on the page", async () => {
      if (await this.shown("#toast")) return this.text("#toast")
      const frame = this.page.frames().find((one) => one.url().includes("player.html"))
      return frame
        ?.evaluate(() => !document.getElementById("trouble").hidden && document.querySelector("#trouble p").textContent)
        .catch(() => null)
    })
  }

  /** Drops a file on the page. */
  drop(content, name) {
    const work = (text, fileName) => {
      const transfer = new DataTransfer(),
        data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
      transfer.items.add(new File([data], fileName))
      dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }))
    }
    return this.page.evaluate(work, Buffer.from(content).toString("base64"), name)
  }

  /** Clicks on what saves a .zip; returns its name in the folder. */
  async download(folder, ...buttons) {
    const session = await this.page.createCDPSession()
    await session.send("Browser.setDownloadBehavior", {
      behavior: "allow",
      downloadPath: folder,
      browserContextId: this.page.browserContext().id,
    })
    for (const button of buttons) await this.page.click(button)
    return until("a .zip", () => readdirSync(folder).find((name) => name.endsWith(".zip")))
  }

  /** Drags with the mouse from an element, and keeps the button down. */
  async dragFrom(element, dx) {
    const { x, y } = await element.boundingBox()
    await this.page.mouse.move(x + 5, y + 5)
    await this.page.mouse.down()
    await this.page.mouse.move(x + 5 + dx, y + 5, { steps: 12 })
  }

  async openFile(path) {
    const row = await until(`the row of ${path}`, () => this.page.$(`#file-list [data-path="${path}"]`))
    await row.evaluate((element) => element.click())
    await until(`the editor with ${path}`, async () => (await this.text("#path")) === path)
  }

  /** The text in the editor, which comes after the first frame. */
  get content() {
    return until("the editor", () => this.page.$("#editor >>> .cm-content"))
  }

  /** Types at the begin of the open file. */
  async typeFirst(text) {
    const content = await this.content
    await content.click()
    await this.chord("Control", "Home")
    await this.page.keyboard.type(text)
  }

  /** Replaces the open file by a paste. */
  async paste(text) {
    const content = await this.content
    await content.focus() // a click would look for the middle of a line of a million characters
    await this.chord("Control", "a")
    await content.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData("text/plain", pasted)
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  }

  async chord(modifier, key) {
    await this.page.keyboard.down(modifier)
    await this.page.keyboard.press(key)
    await this.page.keyboard.up(modifier)
  }

  async code() {
    return (await this.content).evaluate((element) => element.innerText)
  }

  state(kind) {
    return until(`the state ${kind}`, () =>
      this.page.$eval("#state", (element, wanted) => element.classList.contains(wanted) && element.textContent, kind),
    )
  }

  async shot(name) {
    mkdirSync(SHOTS, { recursive: true })
    return this.page.screenshot({ path: `${SHOTS}/${name}.png` })
  }

  /** The game's picture as a list of 10000 points. */
  async pixels(selector = "#screen") {
    const screen = await this.page.$(selector)
    return this.page.evaluate(
      async (shot) => {
        const image = new Image()
        const context = new OffscreenCanvas(100, 100).getContext("2d")
        image.src = `data:image/png;base64,${shot}`
        await image.decode()
        context.imageSmoothingEnabled = false
        context.drawImage(image, 0, 0, 100, 100)
        return [...new Uint32Array(context.getImageData(0, 0, 100, 100).data.buffer)]
      },
      await screen.screenshot({ encoding: "base64" }),
    )
  }

  /** How many of 10000 points differ from an earlier picture. */
  async difference(first, selector) {
    return (await this.pixels(selector)).reduce((sum, pixel, i) => sum + (pixel !== first[i]), 0)
  }

  /** By how many pixels the size of the canvas differs from that of its element. */
  async stretch() {
    return (await this.player).evaluate(() => {
      const { clientWidth, clientHeight, width, height } = document.getElementById("canvas")
      return Math.abs(clientWidth * devicePixelRatio - width) + Math.abs(clientHeight * devicePixelRatio - height)
    })
  }

  /** Errors of the browser's own that a test causes. */
  forgive(pattern) {
    this.errors = this.errors.filter((line) => !pattern.test(line))
  }

  async close() {
    assert.deepEqual(this.errors, [], "errors in the console of the browser")
    assert.deepEqual(this.foreign, [], "requests to elsewhere")
    await this.page.close()
  }
}

class Browser {
  requests = [] // paths, since the last time that it was emptied

  async start({ kind = "chromium", site = SITE } = {}) {
    this.server = await context({})
    const onRequest = ({ path }) => this.requests.push(path)
    const { port } = await this.server.serve({ servedir: site, host: "127.0.0.1", onRequest })
    this.url = `http://127.0.0.1:${port}/`
    this.browser = await (kind === "firefox" ? this.#startFirefox() : this.#startChromium())
    return this
  }

  #startChromium() {
    assert.ok(CHROMIUM, "Chromium is not installed: apt-get install chromium, or set CHROMIUM")
    return puppeteer.launch({
      executablePath: CHROMIUM,
      protocolTimeout: 3 * WAIT,
      args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--mute-audio", SILENT, `--disable-features=${POPUPS}`],
    })
  }

  async #startFirefox() {
    this.display = spawn(XVFB, ["-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    })
    const number = await new Promise((done, failed) => {
      this.display.stdio[3].once("data", (data) => done(String(data).trim()))
      this.display.once("exit", () => failed(new Error("Xvfb has ended")))
    })
    return puppeteer.launch({
      browser: "firefox",
      executablePath: FIREFOX,
      headless: false,
      protocolTimeout: 3 * WAIT,
      env: { ...process.env, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: "1" },
      extraPrefsFirefox: { "webgl.force-enabled": true, "media.volume_scale": "0" },
    })
  }

  /** A page that nobody has visited. `before`: a function that runs first in each of its documents. */
  async visit({ before, touch = false, width = 1440, height = 900 } = {}) {
    const context = await this.browser.createBrowserContext(),
      page = await context.newPage()
    await page.setViewport(touch ? { width, height, hasTouch: true, isMobile: true } : { width, height })
    if (before) await page.evaluateOnNewDocument(before)
    return new Visit(page, this.url)
  }

  /** A visit of a page where a game plays. */
  async play(game, options) {
    const visit = await this.visit(options)
    await visit.open(game)
    return visit.plays()
  }

  async stop() {
    await this.browser?.close()
    this.display?.kill()
    await this.server?.dispose()
  }
}

/** A browser that starts before the tests of a file and stops after them; it sees the page that was built, or the
    folder `site`. Then visiting(name, work, options) and playing(name, game, work, options) declare tests, whose page
    is closed behind them. `options` are those of visit; with `firefox` the test runs in Firefox too, where that is. */
export function useBrowser({ site } = {}) {
  const browser = new Browser(),
    other = new Browser()
  before(() => browser.start({ site }))
  after(() => Promise.all([browser.stop(), other.stop()]))
  const visiting = (name, work, { firefox, skip, ...options } = {}) => {
    const run = (its) => async () => {
      const visit = await its.visit(options)
      await work(visit)
      await visit.close()
    }
    test(name, { skip }, run(browser))
    if (!firefox) return
    const lacks = FIREFOX && XVFB ? false : "firefox-esr and xvfb are not installed"
    test(`in Firefox: ${name}`, { skip: lacks }, async () => {
      if (!other.browser) await other.start({ kind: "firefox", site })
      await run(other)()
    })
  }
  const playing = (name, game, work, options) =>
    visiting(name, async (visit) => work(await (await visit.open(game)).plays()), options)
  return { browser, visiting, playing }
}

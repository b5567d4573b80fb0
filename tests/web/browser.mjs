// What the tests of the page share: one server, one browser, pages that collect what goes wrong in them.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

import { writeLink } from "../../demo/web/page/src/link.js"

export const ROOT = fileURLToPath(new URL("../../", import.meta.url))
export const SITE = process.env.SP_WEB ?? `${ROOT}build/web`
export const SHOTS = `${SITE}-shots`
const INSTANCE = readFileSync(`${ROOT}demo/web/page/src/instance.js`, "utf8")
const WAIT = Number(process.env.SP_WAIT ?? 60000) // milliseconds: machines may be slow, and what waits so long has failed

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
const XVFB = found("/usr/bin/Xvfb")

/** Firefox has WebGL only on a display. */
export const HAS_FIREFOX = Boolean(FIREFOX && XVFB)

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** How many points of two pictures differ. */
export const difference = (a, b) => b.reduce((sum, pixel, i) => sum + (pixel !== a[i]), 0)

/** Tries until `work` returns something true, and returns that. */
export async function until(what, work, wait = WAIT) {
  const end = Date.now() + wait
  for (;;) {
    const value = await work()
    if (value) return value
    if (Date.now() > end) assert.fail(`in vain: ${what}`)
    await sleep(50)
  }
}

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

  async open(fragment = "") {
    await this.page.goto(this.url + fragment)
    return this
  }

  /** Opens a page of the test's own, beside which are the page's files, and what plays an instance. */
  async openOwn(html) {
    await this.page.setRequestInterception(true)
    this.page.on("request", (request) => {
      const url = request.url()
      if (url.endsWith("/own.html")) request.respond({ contentType: "text/html", body: html })
      else if (url.endsWith("/instance.js")) request.respond({ contentType: "text/javascript", body: INSTANCE })
      else if (url.endsWith("/favicon.ico")) request.respond({ status: 204 })
      else request.continue()
    })
    return this.open("own.html")
  }

  /** Waits for the first frame of the game. */
  async plays() {
    await until("the first frame", () => this.page.evaluate(() => document.body.dataset.frame))
    return this
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

  /** By how many pixels the size of the canvas differs from that of its element. */
  async stretch() {
    return (await this.player).evaluate(() => {
      const { clientWidth, clientHeight, width, height } = document.getElementById("canvas")
      return Math.abs(clientWidth * devicePixelRatio - width) + Math.abs(clientHeight * devicePixelRatio - height)
    })
  }

  async close() {
    assert.deepEqual(this.errors, [], "errors in the console of the browser")
    assert.deepEqual(this.foreign, [], "requests to elsewhere")
    await this.page.close()
  }
}

export class Browser {
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
      args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--mute-audio", `--disable-features=${POPUPS}`],
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

  async stop() {
    await this.browser?.close()
    this.display?.kill()
    await this.server?.dispose()
  }
}

/** A browser, Chromium unless `kind` says "firefox", that starts before the tests of a file and stops after them. It
    sees the page that was built, or the folder `site`. */
export function useBrowser({ before, after }, options) {
  const browser = new Browser()
  before(() => browser.start(options))
  after(() => browser.stop())
  return browser
}

// {== Games and files ===========================================================

/** The names of the games that come with the page. */
export const GAMES = readdirSync(`${ROOT}scripts`).filter((name) => existsSync(`${ROOT}scripts/${name}/main.lua`))

export const bytes = (text) => new TextEncoder().encode(text)

/** The link of a game of one file. */
export const linkOf = (main, name = "own") =>
  writeLink({ name, base: null, files: new Map([["main.lua", bytes(main)]]), removed: [] })

/** The begin of a game in which nothing happens. */
export const QUIET = 'local spawnpool <const> = require "spawnpool"\nlocal game <const> = {}\n'

/** The sentence on the page, in a toast or in the frame of the player. */
export async function sentence(visit) {
  return until("a sentence on the page", async () => {
    if (await visit.shown("#toast")) return visit.text("#toast")
    const frame = visit.page.frames().find((one) => one.url().includes("player.html"))
    return frame
      ?.evaluate(() => !document.getElementById("trouble").hidden && document.querySelector("#trouble p").textContent)
      .catch(() => null)
  })
}

/** Drops a file on the page. */
export const drop = (visit, content, name) =>
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

// }==

// Serves a page that is built on this machine, as a site should: node serve.mjs FOLDER PORT. docs/player.md explains the
// headers.
import { createServer } from "node:http"
import { readFile, realpath } from "node:fs/promises"
import { extname, join, resolve, sep } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"

const [, , folder, port = "8080"] = process.argv
const root = resolve(folder)
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".zip": "application/zip",
  ".ttf": "font/ttf",
  ".txt": "text/plain; charset=utf-8",
}
const isPacked = (path) => /\.(png|webp|zip)$/.test(path)
const packed = new Map() // gzipped bytes by path, with the bytes that they are of

async function gzipped(path, bytes) {
  const known = packed.get(path)
  if (known?.bytes.equals(bytes)) return known.body
  const body = await promisify(gzip)(bytes)
  packed.set(path, { bytes, body })
  return body
}

/** Headers for a path. Parts have a hash in their names; what else changes is asked for again. */
function headersOf(path) {
  return {
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": /part-\w+\.js$/.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(/\/index\.html$/.test(path) && { "content-security-policy": "frame-ancestors 'self'" }),
    vary: "accept-encoding",
  }
}

async function answer(request, response) {
  const name = decodeURIComponent(new URL(request.url, "http://page").pathname),
    path = await realpath(join(root, name.endsWith("/") ? `${name}index.html` : name))
  if (path !== root && !path.startsWith(root + sep)) throw new Error("outside")
  const bytes = await readFile(path),
    headers = headersOf(path),
    zips = !isPacked(path) && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
  const body = zips ? await gzipped(path, bytes) : bytes
  if (zips) headers["content-encoding"] = "gzip"
  response.writeHead(200, { ...headers, "content-length": body.length }).end(request.method === "HEAD" ? null : body)
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(404, { "content-type": "text/plain" }).end("not found\n"))
})
server.listen(Number(port), "127.0.0.1", () => console.log(`http://localhost:${server.address().port}/`))

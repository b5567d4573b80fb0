// A small server for the page on this machine: node serve.js FOLDER [PORT]. Only this machine can reach it, so nothing
// is compressed.
import { createReadStream, existsSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".zip": "application/zip",
  ".ttf": "font/ttf",
}

function pathOf(url) {
  try {
    return normalize(decodeURIComponent(new URL(url, "http://localhost").pathname))
  } catch {
    return "/.." // no such file
  }
}

/** Serves a folder; resolves to the server once it listens. Port 0: any that is free. */
export function serve(root, port = 0, onRequest = () => {}) {
  const server = createServer((request, response) => {
    const path = pathOf(request.url)
    const file = join(root, path.endsWith("/") ? `${path}index.html` : path)
    onRequest(path)
    if (path.includes("..") || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n")
      return
    }
    const { mtimeMs, size } = statSync(file)
    const etag = `"${size}-${mtimeMs}"`
    if (request.headers["if-none-match"] === etag) {
      response.writeHead(304, { etag }).end()
      return
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream"
    const headers = { "content-type": type, "cache-control": "no-cache", etag, "x-content-type-options": "nosniff" }
    response.writeHead(200, headers)
    createReadStream(file).pipe(response)
  })
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => resolve(server))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder, port = "8080"] = process.argv
  try {
    const server = await serve(folder, Number(port))
    console.log(`http://localhost:${server.address().port}/ — Ctrl+C ends it`)
  } catch (error) {
    console.error(error.code === "EADDRINUSE" ? `port ${port} is in use: make web-serve WEB_PORT=8081` : String(error))
    process.exit(1)
  }
}

// What the player needs of a browser. Each problem is a sentence for the person at the page.

// (module (func (result v128) i32.const 0 i8x16.splat)): valid only where SIMD is.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
])

/** SDL then gets the same context: another one would cost as much time again. */
function hasWebGL(canvas) {
  try {
    return canvas.getContext("webgl", { alpha: false, antialias: false, depth: true, stencil: false }) !== null
  } catch {
    return false
  }
}

/** Returns what this browser lacks, as a sentence, or null. `canvas`: the one that the game draws on. */
export function missing(canvas) {
  if (typeof WebAssembly !== "object") {
    return (
      "This browser has no WebAssembly, or it is switched off. The games need it: try a current Firefox, Chrome or " +
      "Safari."
    )
  }
  if (!WebAssembly.validate(SIMD))
    return "The WebAssembly of this browser has no SIMD, which the games need: try a current Firefox, Chrome or Safari."
  if (!hasWebGL(canvas)) {
    return (
      "This browser has no WebGL, or it is switched off. The games draw with it: look for “hardware " +
      "acceleration” in the browser's settings."
    )
  }
  return null
}

/** Returns a sentence for an error that ended the player. */
export function sentence(error) {
  const text = String(error?.message ?? error)
  console.warn(error)
  if (/out of memory|OOM|memory access|allocation failed|could not allocate/i.test(text))
    return "The game needs more memory than this browser gives to a page, and has ended."
  if (/failed to fetch|networkerror|cannot load|: [45]\d\d /i.test(text))
    return "A part of the player could not be loaded. Check the connection, and load the page again."
  return `The player has ended after a failure: ${text.slice(0, 200)}`
}

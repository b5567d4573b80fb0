// What pages and players share, and what is small: names of games, and refusals.

/** A problem whose message is a sentence for the person at the page. */
export class Refusal extends Error {}

/** Returns `text` as the name of a game: letters, digits, "_" and "-". */
export const plainName = (text) =>
  text
    .replace(/\.zip$/i, "")
    .replace(/[^A-Za-z0-9_-]+|^(__proto__|hasOwnProperty)$/g, "_")
    .slice(0, 40) || "game"

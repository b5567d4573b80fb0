-- Ids go on: a number that a function called at file scope counts up, and that the game has moved, goes on from the
-- game's value once it holds what the last run left.

local ids <const> = {}

function ids.watch(_, fn) return fn() end

return ids

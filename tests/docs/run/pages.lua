-- Plays the examples of the pages, except programs to be compiled.
require "run"(false)

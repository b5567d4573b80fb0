-- What the pages show, but for programs to be compiled.
require "run"(false)

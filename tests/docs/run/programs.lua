-- The programs in C and C++ that the pages show, and their commands for building.
require "run"(true)

-- The programs in C and C++ that the pages show, their commands for building, and the pictures of the gallery.
require "run"(true)

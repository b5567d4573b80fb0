std = "lua54"
max_line_length = 120
unused_args = false -- a hook names all that it is given
exclude_files = { ".spawnpool" }

function love.conf(t)
  t.window.width, t.window.height, t.window.vsync = 1280, 720, 0
  for _, module in ipairs { "audio", "joystick", "physics", "sound", "video" } do t.modules[module] = false end
end

-- LÖVE's own settings. Frames are not awaited in the bench: it shows what they cost.
function love.conf(t)
  t.identity, t.version = "spawnpool-shooter", "11.4"
  t.window.title, t.window.width, t.window.height = "spawnpool in LÖVE", 800, 600
  t.modules.physics, t.modules.joystick, t.modules.audio, t.modules.sound = false, false, false, false
end

---@meta
-- Annotations of the player for editors: the callbacks of a game, and what only games in the player can call. This file
-- is not executed. A test compares it with the player, both ways.

---The table that main.lua returns; all fields are optional.
---@class spawnpool.Game
---@field load? fun(args: string[]) called once, with the arguments after -- on the command line
---@field update? fun(dt: number) called once per step, with its seconds; the pools are updated after it
---@field draw? fun(g: spawnpool.Graphics) called once per frame; draws over the objects
---@field draw_below? fun(g: spawnpool.Graphics) called once per frame; draws below the objects, in the world
---@field key_pressed? fun(key: string): boolean? "left", "space", "a"; not repeated while held. Returning true for
---"escape" keeps it from quitting
---@field key_released? fun(key: string) the same names
---@field mouse_pressed? fun(x: integer, y: integer, button: integer) units of the view; 1 left, 2 right, 3 middle
---@field mouse_released? fun(x: integer, y: integer, button: integer) as mouse_pressed
---@field pad_pressed? fun(button: string, n: integer) of gamepad n: "a", "start", "dpup"
---@field pad_released? fun(button: string, n: integer) as pad_pressed
---@field mouse_moved? fun(x: integer, y: integer, dx: integer, dy: integer) new position and distance, units of the
---view
---@field wheel? fun(dx: integer, dy: integer) the mouse wheel was turned; dy above 0: away from you
---@field text_input? fun(text: string) text was typed, with the keyboard's layout and accents
---@field resized? fun(w: integer, h: integer) the size of the window changed, in points
---@field focus? fun(on: boolean) the window got the focus, or lost it
---@field quit? fun(): boolean? called before the window closes; returning true keeps it open
---@field title? string title of the window
---@field width? integer width of the view, in units; the window opens with its largest multiple that fits on the
---screen
---@field height? integer height of the view, in units
---@field scale? "fit" | "integer" | "stretch" | "none" how the view of width x height is scaled into the window
---@field filter? "nearest" | "linear" whether pictures are enlarged pixel by pixel, or smoothly
---@field actions? table<string, string|string[]> names of what players do: { jump = { "space", "pad:a" } }
---@field id? string "com.example.lantern": names the folder of what the game stores, wherever the game itself lies
---@field version? string "1.2": shown by the executable that `spawnpool pack` writes, and in the log of an error
---@field icon? string "sprites/icon.png": the picture of the window, and of that executable
---@field pause_unfocused? boolean true: the game pauses while another window has the focus

---What only the player has.
---@class spawnpool
---@field gc_budget number microseconds a frame in which garbage is collected, after the frame is shown; 0: Lua's own
---pace, during frames

---How areas are drawn: filled, or as an outline.
---@alias spawnpool.Mode "fill" | "line"

---Draws over the objects, while draw(g) runs.
---@class spawnpool.Graphics
---@field width integer width of the view, in units; read only, as the next four
---@field height integer height of the view, in units
---@field scale number points of the window per unit of the view: text of size 9 / g.scale is 9 points high
---@field update_ms number duration of the last steps, in milliseconds
---@field draw_ms number CPU time of the last drawing, in milliseconds
---@field color fun(self: spawnpool.Graphics, r: number, g: number, b: number, a?: number) each from 0 to 1
---lines longer than `width` are broken; width and font may be swapped
---@field text fun(self: spawnpool.Graphics, x: number, y: number, s: any, size?: number, align?: string,
---width?: number | string, font?: string | number)
---width and height of the text
---@field measure fun(self: spawnpool.Graphics, text: any, size?: number, width?: number | string,
---font?: string | number): number, number
---@field font fun(self: spawnpool.Graphics, font?: string, size?: number) of later texts: "fonts/pixel.ttf", "mono"
---@field line fun(self: spawnpool.Graphics, x1: number, y1: number, x2: number, y2: number, width?: number) 1 wide
---@field rect fun(self: spawnpool.Graphics, x: number, y: number, w: number, h: number, mode?: spawnpool.Mode) "fill"
---@field circle fun(self: spawnpool.Graphics, x: number, y: number, radius: number, mode?: spawnpool.Mode) "fill"
---@field clip fun(self: spawnpool.Graphics, x?: number, y?: number, w?: number, h?: number) what is seen from now on
---changes the picture so far
---@field effect fun(self: spawnpool.Graphics, name: "flash" | "tint" | "crt", amount?: number, r?: number, g?: number,
---b?: number)
---@field camera fun(self: spawnpool.Graphics, x?: number, y?: number, zoom?: number, angle?: number) centre of the view
---@field shake fun(self: spawnpool.Graphics, x: number, y: number) shifts all objects in the next frame
---@field polygon fun(self: spawnpool.Graphics, points: number[] | number[][], mode?: spawnpool.Mode) { x1, y1, ... }
---a picture or shape; a negative scale mirrors, and scale_y is scale_x by default
---@field sprite fun(self: spawnpool.Graphics, name: string, x: number, y: number, angle?: number, scale_x?: number,
---scale_y?: number, frame?: integer)
---@field tiles fun(self: spawnpool.Graphics, map: spawnpool.Map) what is seen of a map

---The area of the world that the window shows.
---@class spawnpool.View
---@field width integer width of the view, in units; read only
---@field height integer height of the view, in units; read only
local View = {}

---Returns the position in the world that the camera shows at a position of the view. A shake is ignored.
---@param x number units of the view
---@param y number units of the view
---@return number x
---@return number y
function View:to_world(x, y) end

---Returns the position in the view at which the camera shows a position of the world. A shake is ignored, so labels
---stay still.
---@param x number
---@param y number
---@return number x
---@return number y
function View:to_view(x, y) end

---The window of the game.
---@class spawnpool.Window
---@field fullscreen boolean whether it covers the screen; may be set
---@field cursor boolean whether the mouse cursor is shown over it; may be set
---@field title string its title; may be set
local Window = {}

---The current state of keyboard, mouse, gamepads and fingers. Names are actions of main.lua's table, keys ("left",
---"space", "a"), mouse buttons ("mouse:left"), and buttons and axes of any gamepad ("pad:a", "pad:-leftx") or of one
---("pad2:a").
---@class spawnpool.Input
local Input = {}

---Returns whether one of these is held. Raises an error for an unknown name.
---```lua
---if spawnpool.input.down("left", "a") then ship.x = ship.x - 200 * dt end
---```
---@param ... string
---@return boolean
function Input.down(...) end

---Returns whether one of these was pressed since the last step. Raises an error for an unknown name.
---```lua
---if spawnpool.input.pressed "jump" then hero.vy = -300 end
---```
---@param ... string
---@return boolean
function Input.pressed(...) end

---Returns whether one of these was released since the last step. Raises an error for an unknown name.
---@param ... string
---@return boolean
function Input.released(...) end

---Returns how far one of these is held: 0 or 1, half an axis in between, a whole axis from -1.
---@param ... string
---@return number
function Input.value(...) end

---Returns the position of a stick or a trigger, of the gamepad that is farthest out: 0 at rest, and without a gamepad.
---@param name "leftx" | "lefty" | "rightx" | "righty" | "lefttrigger" | "righttrigger"
---@return number value from -1 (left, up) to 1; triggers from 0
function Input.axis(name) end

---Returns the position of the mouse, and which of its buttons are held.
---@return integer x units of the view
---@return integer y units of the view
---@return boolean left
---@return boolean right
---@return boolean middle
function Input.mouse() end

---A finger on a touch screen.
---@class spawnpool.Finger
---@field id integer from 1; stays the same until it is lifted
---@field x integer units of the view
---@field y integer units of the view
---@field pressed boolean it came down since the last step
---@field released boolean it was lifted since the last step

---Returns the fingers on the screen, and those that were lifted since the last step.
---@return spawnpool.Finger[]
function Input.fingers() end

---Returns gamepad n: its buttons, its axes, and its part of the actions. Given names of buttons instead, returns
---whether one of them is held on any gamepad; without arguments, whether a gamepad is connected.
---```lua
---if spawnpool.input.pad(2).pressed "jump" then other.vy = -300 end
---```
---@param n integer 1 to 8
---@return spawnpool.Gamepad
---@overload fun(...: string): boolean
function Input.pad(n) end

---One of the gamepads. Names are actions, and its buttons and axes: "a", "dpup", "-leftx".
---@class spawnpool.Gamepad
---@field connected boolean whether it is plugged in; while it is not, nothing is held
---@field down fun(...: string): boolean
---@field pressed fun(...: string): boolean
---@field released fun(...: string): boolean
---@field value fun(...: string): number
---@field axis fun(name: string): number

---Data that outlives the game, in the user's data folder; at most 1 MiB a game.
---@class spawnpool.Storage
local Storage = {}

---Stores plain data: numbers, strings, booleans, and tables of these. Nothing changes when it fails.
---```lua
---local best <const> = spawnpool.storage.load("best") or 0
---if score > best then spawnpool.storage.save("best", score) end
---```
---@param name string 1 to 64 letters, digits, "_" and "-"
---@param value any nil removes what is stored
---@return boolean done
---@return string? why
function Storage.save(name, value) end

---Returns the value that was stored under this name.
---@param name string as for save
---@return any value
---@return string? why "none": nothing is stored
function Storage.load(name) end

---The type of `io.stdout` and `io.stderr` in the sandbox. They report lines as `print` and `warn` do.
---@class spawnpool.Stream
local Stream = {}

---Writes texts and numbers. Each line is reported at its end.
---@param ... string | number
---@return spawnpool.Stream self
function Stream:write(...) end

---Reports the start of a line that has no end yet.
---@return spawnpool.Stream self
function Stream:flush() end

---Has no effect: output is reported by the line in every mode.
---@param mode "no" | "full" | "line"
---@param size? integer
---@return boolean
function Stream:setvbuf(mode, size) end

---A voice: an object of the built-in class Voice, which plays a sound for as long as it lives.
---@class spawnpool.Voice: spawnpool.Object
---@field sound string name of the sound; read only
---@field volume number 0 is silent, 1 as recorded
---@field pan number -1 left, 0 in the middle, 1 right
---@field loop boolean true: repeats without end; set to false, ends with this round

---@class spawnpool.PlayOptions fields of the voice; the class Voice has the defaults
---@field volume? number 0 is silent, 1 as recorded
---@field pan? number -1 left, 0 in the middle, 1 right
---@field loop? boolean repeats until it is recycled
---@field pinned? boolean exempt from eviction when there are too many voices

---@class spawnpool.MusicOptions
---@field volume? number 0 is silent, 1 as recorded
---@field loop? boolean true by default

---Sounds and music: the files NAME.wav and NAME.ogg in the folder sounds/ of the game.
---@class spawnpool.Audio
local Audio = {}

---Plays a sound: allocates a voice in spawnpool.pools, whose life ends with the sound. A missing sound is reported
---once, and its voice is silent. ```lua spawnpool.audio.play("hit", { volume = 0.5, pan = -1 }) ```
---@param name string of a file in sounds/, without its extension
---@param options? spawnpool.PlayOptions
---@return spawnpool.Voice? voice
---@return spawnpool.Refusal? why
function Audio.play(name, options) end

---Plays music beside the voices, and replaces the current music. Looping music that is already playing continues.
---@param name string? of a file in sounds/, without its extension; nil stops the music
---@param options? spawnpool.MusicOptions
---@return boolean? found whether there is such a sound; nothing for nil
function Audio.music(name, options) end

---Stops the music and recycles all voices.
---@return nil
function Audio.stop() end

---Returns the master volume, after setting it if a number is given.
---@param volume? number 0 to 1
---@return number volume
function Audio.volume(volume) end

---Returns whether all sound is muted, after setting that if a boolean is given.
---@param on? boolean
---@return boolean muted
function Audio.mute(on) end

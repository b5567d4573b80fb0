/*
** A gamepad is opened when SDL announces it. SDL keeps track of open ones, so nothing is stored for each.
*/
#include "demo/input/gamepad.h"

#include <string.h>

#define DEAD 0.2f /* of a stick's range: worn ones do not return to the centre */
#define FULL 32767.0f

void gamepad_start(void) { SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); }

void gamepad_clear(gamepad *p)
{
  memset(p->buttons, 0, sizeof p->buttons);
  memset(p->axes, 0, sizeof p->axes);
}

/* Scales the range outside of the dead zone to 0..1, so that values rise from 0 without a jump. */
static float axis_value(Sint16 value)
{
  float v = (float)value / FULL, size = v < 0 ? -v : v;
  if (size < DEAD)
    return 0;
  size = (size - DEAD) / (1 - DEAD);
  size = size < 1 ? size : 1;
  return v < 0 ? -size : size;
}

static void remove_pad(gamepad *p, SDL_JoystickID which)
{
  SDL_GameController *controller = which == GAMEPAD_NONE ? NULL : SDL_GameControllerFromInstanceID(which);
  if (controller)
    SDL_GameControllerClose(controller);
  if (p->connected > 0)
    p->connected--;
  gamepad_clear(p);
}

static bool press(gamepad *p, const SDL_ControllerButtonEvent *event, SDL_GameControllerButton *button, bool *pressed)
{
  bool down = event->type == SDL_CONTROLLERBUTTONDOWN;
  if (event->button >= SDL_CONTROLLER_BUTTON_MAX || p->buttons[event->button] == down)
    return false;
  p->buttons[event->button] = down;
  *button = (SDL_GameControllerButton)event->button;
  *pressed = down;
  return true;
}

bool gamepad_event(gamepad *p, const SDL_Event *event, SDL_GameControllerButton *button, bool *pressed)
{
  switch (event->type) {
  case SDL_CONTROLLERDEVICEADDED:
    p->connected += event->cdevice.which == GAMEPAD_NONE || SDL_GameControllerOpen(event->cdevice.which) != NULL;
    break;
  case SDL_CONTROLLERDEVICEREMOVED:
    remove_pad(p, event->cdevice.which);
    break;
  case SDL_CONTROLLERAXISMOTION:
    if (event->caxis.axis < SDL_CONTROLLER_AXIS_MAX)
      p->axes[event->caxis.axis] = axis_value(event->caxis.value);
    break;
  case SDL_CONTROLLERBUTTONDOWN:
  case SDL_CONTROLLERBUTTONUP:
    return press(p, &event->cbutton, button, pressed);
  default:
    break;
  }
  return false;
}

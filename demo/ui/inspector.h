/*
** The inspector (F3): a panel at the right with the pools, the slots of the chosen one, and one object with its
** fields, which can be edited. The layout is computed while drawing; clicks refer to what was drawn last. Closed, it
** costs nothing.
*/
#ifndef SP_DEMO_INSPECTOR_H
#define SP_DEMO_INSPECTOR_H

#include <SDL.h>

#include "core/spawnpool.h"
#include "demo/ui/alloc_sites.h"
#include "demo/ui/edit_line.h"
#include "demo/ui/panel.h"
#include "demo/ui/slot_map.h"
#include "script/host/inspect.h"

#define INSPECTOR_FIELDS 80 /* of the class and built-in */
#define INSPECTOR_SPOTS 160
#define INSPECTOR_NAME 48
#define INSPECTOR_VALUE 64
#define INSPECTOR_MESSAGE 256
#define INSPECTOR_HISTORY 512

typedef struct inspector_field {
  char name[INSPECTOR_NAME], text[INSPECTOR_VALUE];
  sp_field_type type;
  bool own, writable;
} inspector_field;

/* The meaning of a click on a part of the panel. */
typedef enum inspector_spot_kind { SPOT_POOL, SPOT_MAP, SPOT_OBJECT, SPOT_FIELD } inspector_spot_kind;

typedef struct inspector_spot {
  inspector_spot_kind kind;
  float x, y, w, h;
  uint32_t number; /* of the pool or the field */
  sp_ref object;
} inspector_spot;

typedef struct inspector {
  sp_script *script;
  const game_view *view; /* what the window shows of the world */
  bool shown;
  char type[INSPECTOR_NAME * 2]; /* type of the chosen pool; "": none yet */
  uint32_t first_pool;           /* first visible row of the list */
  bool follow_choice;            /* scroll the list to the chosen pool */
  slot_map map;
  sp_ref selected;            /* 0: none; may be stale */
  char label[INSPECTOR_NAME]; /* "Bullet#12" */
  char history[INSPECTOR_HISTORY];
  bool was_live;
  inspector_field fields[INSPECTOR_FIELDS];
  int field_count, first_field;
  alloc_sites alloc_sites; /* shown while no object is selected */
  double read_at;          /* real seconds */
  int editing;             /* index of the field, or -1 */
  edit_line edit;
  const char *locked;              /* why no field can be edited now; NULL: they can */
  char message[INSPECTOR_MESSAGE]; /* why a value was rejected; "": nothing */
  inspector_spot spots[INSPECTOR_SPOTS];
  int spot_count;
  float left, right;      /* edges of the panel as drawn last, points */
  bool at_left;           /* it has moved there, because it hid the selected object */
  float mouse_x, mouse_y; /* points */
} inspector;

/* `script`, `w` and `v` must outlive it; `v` may be NULL: the window shows the world as it is. */
void inspector_open(inspector *it, sp_script *script, const window *w, const game_view *v);
void inspector_close(inspector *it);

/* Shows or hides it. */
void inspector_toggle(inspector *it);

/* While `why` is not NULL no field can be edited: the panel says why instead. It must outlive the inspector. */
void inspector_lock(inspector *it, const char *why);

/* Returns the width of the panel in a window of this width; 0 while it is hidden. */
float inspector_width(const inspector *it, float window_width);

/* Handles an event: clicks on the panel, left clicks anywhere, the wheel over the panel, page up and page down, and
   all keys but F1 to F12 while a field is edited. True when the event was consumed. */
bool inspector_event(inspector *it, const SDL_Event *event, sp_manager *pools);

/* Reads the values to be shown: call it once per frame. */
void inspector_read(inspector *it, sp_manager *pools, double now);

#endif

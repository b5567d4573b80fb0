#include "session/view.h"

#include <math.h>
#include <string.h>

static void fit(sp_view *v)
{
  const bool is_own = v->own_width > 0 && v->own_height > 0;
  v->width = is_own ? v->own_width : v->host_width;
  v->height = is_own ? v->own_height : v->host_height;
}

void sp_view_open(sp_view *v)
{
  *v = (sp_view){.host_width = SP_VIEW_WIDTH, .host_height = SP_VIEW_HEIGHT, .zoom = 1};
  fit(v);
}

static double side(const sp_script *script, const char *name)
{
  double number = 0;
  sp_script_setting(script, name, &number, NULL, 0);
  return number >= 1 && number <= 65536 ? floor(number) : 0;
}

void sp_view_settle(sp_view *v, const sp_script *script)
{
  char scale[16] = "";
  const double width = side(script, "width"), height = side(script, "height");
  const bool is_sized = width > 0 && height > 0;
  sp_script_setting(script, "scale", NULL, scale, sizeof scale);
  v->own_width = is_sized ? width : 0;
  v->own_height = is_sized ? height : 0;
  if (is_sized && strcmp(scale, "none") == 0) { /* the size to begin with, until the host says another */
    v->host_width = v->is_told ? v->host_width : width;
    v->host_height = v->is_told ? v->host_height : height;
    v->own_width = v->own_height = 0;
  }
  fit(v);
}

void sp_view_resize(sp_view *v, double width, double height)
{
  v->host_width = width;
  v->host_height = height;
  v->is_told = true;
  fit(v);
}

void sp_view_to_world(const sp_view *v, double *x, double *y)
{
  if (!v->has_camera)
    return;
  const double dx = *x - v->width / 2, dy = *y - v->height / 2;
  const double along = cos(v->angle) / v->zoom, across = sin(v->angle) / v->zoom;
  *x = v->x + along * dx - across * dy;
  *y = v->y + across * dx + along * dy;
}

void sp_view_to_view(const sp_view *v, double *x, double *y)
{
  if (!v->has_camera)
    return;
  const double dx = *x - v->x, dy = *y - v->y;
  const double along = cos(v->angle) * v->zoom, across = sin(v->angle) * v->zoom;
  *x = v->width / 2 + along * dx + across * dy;
  *y = v->height / 2 - across * dx + along * dy;
}

/*
** One libuv loop of its own, with one directory listener per folder. A listener is freed when the loop lets go of it, which
** is after it was asked to.
*/
#include "demo/wake.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

typedef struct listener {
  uv_fs_event_t handle; /* its data: the wake */
  struct listener *next;
  dev_t device;
  ino_t inode;
  bool wanted;
  char folder[];
} listener;

struct wake {
  uv_loop_t loop;
  listener *listeners; /* those that are not closing */
  void (*on_event)(void *ud, const char *folder);
  void *ud;
};

static listener *listener_of(uv_fs_event_t *handle)
{
  return (listener *)(void *)((char *)handle - offsetof(listener, handle));
}

static void on_closed(uv_handle_t *handle) { free(listener_of((uv_fs_event_t *)handle)); }

static void on_change(uv_fs_event_t *handle, const char *name, int events, int status)
{
  wake *w = handle->data;
  (void)name;
  (void)events;
  if (status == 0 && !uv_is_closing((uv_handle_t *)handle))
    w->on_event(w->ud, listener_of(handle)->folder);
}

static bool is_of(const listener *l, const char *folder, const struct stat *s)
{
  return l->inode == s->st_ino && l->device == s->st_dev && strcmp(l->folder, folder) == 0;
}

static void listen_to(wake *w, const char *folder, const struct stat *s)
{
  size_t length = strlen(folder) + 1;
  listener *l = malloc(sizeof *l + length);
  if (!l)
    return;
  *l = (listener){.device = s->st_dev, .inode = s->st_ino, .wanted = true};
  memcpy(l->folder, folder, length);
  if (uv_fs_event_init(&w->loop, &l->handle) != 0) {
    free(l);
    return;
  }
  l->handle.data = w;
  if (uv_fs_event_start(&l->handle, on_change, folder, 0) != 0) {
    uv_close((uv_handle_t *)&l->handle, on_closed);
    return;
  }
  l->next = w->listeners;
  w->listeners = l;
}

static void close_unwanted(wake *w)
{
  for (listener **at = &w->listeners; *at;) {
    listener *l = *at;
    if (l->wanted) {
      at = &l->next;
    } else {
      *at = l->next;
      uv_close((uv_handle_t *)&l->handle, on_closed);
    }
  }
}

wake *wake_open(void (*on_event)(void *ud, const char *folder), void *ud)
{
  wake *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->on_event = on_event;
  w->ud = ud;
  if (uv_loop_init(&w->loop) == 0)
    return w;
  free(w);
  return NULL;
}

void wake_follow(wake *w, const char *const *folders, size_t count)
{
  struct stat s;
  if (!w)
    return;
  for (listener *l = w->listeners; l; l = l->next)
    l->wanted = false;
  for (size_t i = 0; i < count; i++) {
    listener *l = w->listeners;
    if (stat(folders[i], &s) != 0)
      continue;
    while (l && !is_of(l, folders[i], &s))
      l = l->next;
    if (l)
      l->wanted = true;
    else
      listen_to(w, folders[i], &s);
  }
  close_unwanted(w);
}

void wake_poll(wake *w)
{
  if (w)
    uv_run(&w->loop, UV_RUN_NOWAIT);
}

void wake_close(wake *w)
{
  if (!w)
    return;
  wake_follow(w, NULL, 0);
  uv_run(&w->loop, UV_RUN_DEFAULT); /* until the last listener is closed */
  uv_loop_close(&w->loop);
  free(w);
}

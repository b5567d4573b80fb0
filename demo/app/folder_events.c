/*
** One libuv loop with one directory listener per folder. A listener is freed when its handle has been closed.
*/
#include "demo/app/folder_events.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "script/state/platform.h"

typedef struct listener {
  uv_fs_event_t handle; /* data: the folder_events */
  struct listener *next;
  uint64_t device, inode;
  bool wanted;
  bool lost; /* the folder was removed; another of its name may appear, even with the same inode */
  char folder[];
} listener;

struct folder_events {
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

/* Returns whether the event is about the folder itself: libuv then passes the last part of its path. */
static bool is_of_itself(const listener *l, const char *name)
{
  const char *slash = strrchr(l->folder, '/');
  return name && strcmp(name, slash ? slash + 1 : l->folder) == 0;
}

static void on_change(uv_fs_event_t *handle, const char *name, int events, int status)
{
  folder_events *it = handle->data;
  listener *l = listener_of(handle);
  if (status != 0 || uv_is_closing((uv_handle_t *)handle))
    return;
  l->lost = l->lost || ((events & UV_RENAME) && is_of_itself(l, name));
  it->on_event(it->ud, l->folder);
}

/* Starts listening. False when that is not possible. */
static bool start(listener *l)
{
  sp_facts facts;
  uv_fs_event_stop(&l->handle);
  if (!sp_facts_of_path(l->folder, true, &facts) || uv_fs_event_start(&l->handle, on_change, l->folder, 0) != 0)
    return false;
  l->device = facts.device;
  l->inode = facts.inode;
  l->lost = false;
  return true;
}

static void listen_to(folder_events *it, const char *folder)
{
  size_t length = strlen(folder) + 1;
  listener *l = calloc(1, sizeof *l + length);
  if (!l)
    return;
  memcpy(l->folder, folder, length);
  if (uv_fs_event_init(&it->loop, &l->handle) != 0) {
    free(l);
    return;
  }
  l->handle.data = it;
  if (!start(l)) {
    uv_close((uv_handle_t *)&l->handle, on_closed);
    return;
  }
  l->wanted = true;
  l->next = it->listeners;
  it->listeners = l;
}

static listener *find(const folder_events *it, const char *folder)
{
  listener *l = it->listeners;
  while (l && strcmp(l->folder, folder) != 0)
    l = l->next;
  return l;
}

static bool is_current(const listener *l)
{
  sp_facts facts;
  return sp_facts_of_path(l->folder, true, &facts) && l->inode == facts.inode && l->device == facts.device;
}

static void close_unwanted(folder_events *it)
{
  for (listener **at = &it->listeners; *at;) {
    listener *l = *at;
    if (l->wanted) {
      at = &l->next;
    } else {
      *at = l->next;
      uv_close((uv_handle_t *)&l->handle, on_closed);
    }
  }
}

folder_events *folder_events_open(void (*on_event)(void *ud, const char *folder), void *ud)
{
  folder_events *it = calloc(1, sizeof *it);
  if (!it)
    return NULL;
  it->on_event = on_event;
  it->ud = ud;
  if (uv_loop_init(&it->loop) == 0)
    return it;
  free(it);
  return NULL;
}

void folder_events_follow(folder_events *it, const char *const *folders, size_t count)
{
  if (!it)
    return;
  for (listener *l = it->listeners; l; l = l->next)
    l->wanted = false;
  for (size_t i = 0; i < count; i++) {
    listener *l = find(it, folders[i]);
    if (!l)
      listen_to(it, folders[i]);
    else if (is_current(l) || start(l))
      l->wanted = true;
  }
  close_unwanted(it);
}

void folder_events_poll(folder_events *it)
{
  if (!it)
    return;
  uv_run(&it->loop, UV_RUN_NOWAIT);
  for (listener *l = it->listeners; l; l = l->next)
    if (l->lost && !uv_is_closing((uv_handle_t *)&l->handle) && start(l))
      it->on_event(it->ud, l->folder);
}

void folder_events_close(folder_events *it)
{
  if (!it)
    return;
  folder_events_follow(it, NULL, 0);
  uv_run(&it->loop, UV_RUN_DEFAULT); /* until the last listener is closed */
  uv_loop_close(&it->loop);
  free(it);
}

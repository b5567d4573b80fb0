/*
** On a page, files change only when the page writes them, and then it calls sp_web_reload: there are no events.
*/
#include "demo/app/folder_events.h"

folder_events *folder_events_open(void (*on_event)(void *ud, const char *folder), void *ud)
{
  (void)on_event, (void)ud;
  return NULL;
}

void folder_events_follow(folder_events *it, const char *const *folders, size_t count)
{
  (void)it, (void)folders, (void)count;
}

void folder_events_poll(folder_events *it) { (void)it; }
void folder_events_close(folder_events *it) { (void)it; }

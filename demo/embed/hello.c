/*
** The core alone, without Lua or a window. A server keeps its sessions in a pool. Each lives for some seconds and has a
** field of its own. A reference to a session may be kept for ever: it never names another one.
*/
#include <spawnpool.h>
#include <spawnpool_tools.h>
#include <stdio.h>

enum { REQUESTS = SP_FIELDS }; /* the column of our first own field */

int main(void)
{
  const int none = 0;
  const sp_field fields[] = {{.name = "requests", .initial = &none, .size = sizeof(int)}};
  sp_pool_desc desc = sp_pool_defaults("Session");
  desc.settings.limit = 3;
  desc.fields = fields;
  desc.field_count = 1;

  sp_manager *manager = sp_manager_open(NULL, NULL);
  sp_pool *sessions = manager ? sp_manager_add_pool(manager, &desc, NULL) : NULL;
  if (!sessions)
    return 1;

  sp_ref guest = sp_pool_alloc(sessions, 2.0, NULL, NULL);  /* ends by itself after two seconds */
  sp_ref member = sp_pool_alloc(sessions, 0.0, NULL, NULL); /* until it is recycled */
  sp_pool_alloc(sessions, 60.0, NULL, NULL);

  sp_result why;
  if (!sp_pool_alloc(sessions, 0.0, NULL, &why))
    printf("a fourth session: %s, %s\n", sp_result_name(why), sp_result_text(why));

  sp_manager_update(manager, 1.5);
  *(int *)sp_object_cell(manager, member, REQUESTS) += 7;
  sp_ref session;
  for (sp_walk w = sp_pool_walk(sessions); (session = sp_walk_next(&w)) != 0;)
    printf("Session#%u is %.1f s old and made %d requests\n", sp_object_number(manager, session),
           sp_object_age(manager, session), *(const int *)sp_object_peek(manager, session, REQUESTS));

  sp_manager_update(manager, 1.0); /* the guest has expired, and its slot is free */
  sp_ref next = sp_pool_alloc(sessions, 0.0, NULL, NULL);
  printf("the guest is live: %s; recycling it again: %s\n", sp_object_is_live(manager, guest) ? "yes" : "no",
         sp_result_name(sp_object_recycle(manager, guest)));
  printf("Session#%u has that slot now and was not touched: %s\n", sp_object_number(manager, next),
         sp_object_is_live(manager, next) ? "live" : "gone");

  sp_object_recycle(manager, member);
  sp_stats stats;
  sp_pool_stats(sessions, &stats);
  printf("%u live, %u idle, %llu handed out in all\n", stats.live, stats.idle, (unsigned long long)stats.allocs);
  return sp_manager_close(manager) == SP_OK ? 0 : 1;
}

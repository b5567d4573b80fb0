/*
** A class as C reads it (class_plan.c), on its way to a new pool (open.c) or to one that follows it (class_adopt.c).
*/
#ifndef SP_SCRIPT_CLASS_PLAN_H
#define SP_SCRIPT_CLASS_PLAN_H

#include "script/state/handles.h"

/* User values of a plan: what the pool's are going to be, by the same numbers, and some of its own. */
enum {
  SP_PLAN_TYPE = SP_POOL_USER_VALUES + 1,
  SP_PLAN_POOL,
  SP_PLAN_DESCRIPTION, /* keeps the strings in `desc` */
  SP_PLAN_DEFAULTS,    /* column -> new default, of tables of values that go on */
  SP_PLAN_USER_VALUES = SP_PLAN_DEFAULTS
};

/* A userdata; its struct never moves. */
typedef struct sp_pool_plan {
  bool all; /* else only the functions of the class have changed */
  sp_pool_desc desc;
  bool raises; /* overflow = "error" */
  sp_field fields[SP_MAX_FIELDS];
  double numbers[SP_MAX_FIELDS];
  uint32_t packed[SP_MAX_FIELDS]; /* sp_name of each own field */
  sp_curve curves[SP_MAX_CURVES];
  uint64_t any, fresh; /* columns of those kinds */
  int animated;        /* as in the pool */
  sp_clip_own clip;
  sp_lua_pool handle; /* as the pool's is going to be */
  uint64_t retyped;   /* columns whose fields hold something else from now on */
  uint64_t continued; /* columns of values that go on with another default */
  uint64_t unkept;    /* those that go on, and are not keep(v) any more */
  sp_change *change;  /* of the core's pool, while it is prepared and not made */
  bool is_changed;    /* it was made */
  uint32_t prealloc;  /* for sp_change_settle */
} sp_pool_plan;

/* Pushes a plan for the type named at `type`. Runs the class's file when it is new, and metamethods: afterwards the
   pool or its manager may be gone, or there. Raises errors. */
sp_pool_plan *sp_plan_new(lua_State *L, sp_lua_manager *m, int type, bool all);
/* Gives the plan at `index` what the pool `p`, whose userdata is at `pool`, is going to have: an open one, or one whose
   core is NULL. Changes nothing that can be seen. Raises on memory; runs nothing but finalisers. */
void sp_plan_fill(lua_State *L, int index, const sp_lua_pool *p, int pool);
/* Makes it so, except for the core. Cannot fail when nothing has run since. */
void sp_plan_take(lua_State *L, int index, sp_lua_pool *p);

#endif

/*
** A class converted to C structs, for a new pool or for one whose class has changed.
*/
#ifndef SP_SCRIPT_CLASS_H
#define SP_SCRIPT_CLASS_H

#include "script/state/handles.h"

/* User values of a plan: the future ones of the pool, under the same numbers, and its own. */
enum {
  SP_PLAN_TYPE = SP_POOL_USER_VALUES + 1,
  SP_PLAN_POOL,
  SP_PLAN_DESCRIPTION, /* keeps the strings in `desc` */
  SP_PLAN_DEFAULTS,    /* column -> new default, of tables of values that go on */
  SP_PLAN_NAMES,       /* the future names of the record */
  SP_PLAN_USER_VALUES = SP_PLAN_NAMES
};

/* A userdata; its struct never moves. */
typedef struct sp_pool_plan {
  bool all; /* false: only functions of the class have changed */
  sp_pool_desc desc;
  bool raises; /* overflow = "error" */
  sp_field fields[SP_MAX_FIELDS];
  double numbers[SP_MAX_FIELDS];
  float floats[SP_MAX_FIELDS];
  uint32_t packed[SP_MAX_FIELDS]; /* sp_name of each own field */
  sp_curve curves[SP_MAX_CURVES];
  uint64_t any, fresh; /* columns of those kinds */
  int animated;        /* as in the pool */
  int scaled;
  bool adds;
  sp_clip_own clip;
  spl_pool handle;    /* the future contents of the pool's handle */
  lua_Integer record; /* the anchor of the record that was made for it; 0: none */
  uint64_t retyped;   /* columns whose fields change their kind */
  uint64_t continued; /* columns of values that stay, with a new default */
  uint64_t unkept;    /* columns that stay, and are no longer keep(v) */
  sp_change *change;  /* of the core's pool, between prepare and commit */
  bool is_changed;    /* the change was committed */
  uint32_t prealloc;  /* for sp_change_settle */
} sp_pool_plan;

/* Pushes a plan for the type named at `type`. May run the file of the class, and metamethods, which may create or
   remove the pool, or close the manager. Raises errors. */
sp_pool_plan *sp_plan_new(lua_State *L, spl_manager *m, int type, bool all);
/* Completes the plan at `index` for the pool `p`, whose userdata is at `pool`: an open one, or one whose core is NULL.
   Changes nothing visible. Raises an error when out of memory; runs no scripts but finalisers. */
void sp_plan_fill(lua_State *L, int index, const spl_pool *p, int pool);
/* Applies the plan, except in the core. Cannot fail if no script has run since sp_plan_fill. */
void sp_plan_take(lua_State *L, int index, spl_pool *p);

/* native.changed(names, all) -> fields of another kind. The classes named by the keys have changed; `all`: not only in
   their functions. An error changes nothing: then the pools are as if it had not been called. */
int spl_native_changed(lua_State *L);

#endif

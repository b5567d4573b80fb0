/*
** spawnpool: how a pool is described. A part of spawnpool.h, which includes it: there is no need to include it.
*/
#ifndef SPAWNPOOL_DESC_H
#define SPAWNPOOL_DESC_H

/* Says what alloc does when the pool is at `limit`. */
typedef enum sp_overflow {
  SP_OVERFLOW_REFUSE,   /* SP_FULL */
  SP_OVERFLOW_OLDEST,   /* recycles the oldest live object that is not pinned and does not veto */
  SP_OVERFLOW_GROW,     /* exceeds the limit; the surplus is destroyed when it is recycled */
  SP_OVERFLOW_FUNCTION, /* calls hooks.on_overflow */
  SP_OVERFLOW_COUNT
} sp_overflow;
/* Which idle object is reused first: the one in the lowest slot, so that what lives stays together; the one idle
   longest (FIFO); or the one that came back last (LIFO). */
typedef enum sp_order { SP_ORDER_COMPACT, SP_ORDER_FIFO, SP_ORDER_LIFO, SP_ORDER_COUNT } sp_order;
/* By default: nothing up front, no limits, SP_OVERFLOW_REFUSE, SP_ORDER_COMPACT. */
typedef struct sp_settings {
  uint32_t prealloc;   /* objects created up front, at most SP_MAX_SLOTS */
  uint32_t grow;       /* objects created when none is idle: at least 1; SP_DEFAULT_GROW */
  uint32_t limit;      /* most live objects; SP_UNLIMITED */
  uint32_t idle_limit; /* most idle objects kept; SP_UNLIMITED */
  sp_overflow overflow;
  sp_order order;
} sp_settings;

/* How an object is drawn. `sprite` is a number that the host gives meaning to. By default scale 1, white, radius 8,
   layer 0, sprite 0, visible. */
typedef struct sp_look {
  float scale, r, g, b, a, radius; /* colours from 0 to 1 */
  int16_t layer;
  uint16_t sprite;
  uint8_t visible;
  uint8_t pinned; /* never evicted by SP_OVERFLOW_OLDEST; a pointer kept from an earlier tick unpins at the next one */
  uint8_t reserved[2];
} sp_look;

/* `count` numbers of a type, signed or not, lie side by side at `offset` of a field; a count of 0 stands for 1. */
typedef enum sp_type {
  SP_TYPE_INT8,
  SP_TYPE_INT16,
  SP_TYPE_INT32,
  SP_TYPE_INT64,
  SP_TYPE_FLOAT,
  SP_TYPE_DOUBLE,
  SP_TYPE_REF, /* an sp_ref, as sp_field.ref */
  SP_TYPE_COUNT
} sp_type;
typedef struct sp_field_member {
  sp_type type;
  uint16_t offset, count;
} sp_field_member;

/* An own field of a type: `size` bytes per object (1..256), aligned to the largest power of two in it, up to 64. Saves
   and hashes take one of 1, 2, 4 or 8 bytes as a number, and one that is a struct by its members, if they are given: on
   every machine alike, and whatever its padding holds. All others are bytes as they lie. */
typedef struct sp_field {
  const char *name;    /* unique within the type */
  const void *initial; /* `size` bytes, the value after every alloc; NULL: zeros */
  uint16_t size;
  bool keep; /* survives from life to life */
  bool live; /* sp_pool_redefine: objects that still have the old initial value get the new one */
  bool ref;  /* an sp_ref, of 8 bytes: sp_manager_load and sp_manager_hash know that it names an object */
  const sp_field_member *members; /* of a struct, in any order, apart from each other; NULL: it is a number, or bytes */
  int member_count;
} sp_field;

/* Bulk motion beyond velocity and acceleration. */
typedef struct sp_motion {
  float gravity;      /* added to ay */
  float drag;         /* >= 0: share of the velocity lost per second, for small shares: v /= 1 + drag * dt */
  bool face_velocity; /* angle follows the velocity */
} sp_motion;

/* Policy for an object without parent whose x, y leave a rectangle of positive size. A box leaves it for RECYCLE
   and WRAP when no part of it is inside any more, for BOUNCE and CLAMP as soon as a part is outside; one that is too
   large for the rectangle is held in its middle. */
typedef enum sp_outside {
  SP_OUTSIDE_IGNORE,
  SP_OUTSIDE_RECYCLE,
  SP_OUTSIDE_WRAP,   /* re-enters from the opposite side */
  SP_OUTSIDE_BOUNCE, /* reflected, its velocity too */
  SP_OUTSIDE_CLAMP,  /* held at the edge, at rest on that axis */
  SP_OUTSIDE_COUNT
} sp_outside;
typedef struct sp_bounds {
  float x, y, w, h;
  sp_outside outside;
} sp_bounds;

/* A rectangle without rotation around an object's place, which replaces the circle of its radius in queries and at the
   bounds. Its size is multiplied by the object's scale. Zeros: none. */
typedef struct sp_box {
  float w, h;
} sp_box;

/* A float that follows the elapsed share of an object's lifetime: evenly spaced points with linear interpolation.
   Objects without a lifetime are not changed. For spatial pools only. */
typedef struct sp_curve {
  int column;      /* SP_X .. SP_SPIN, an own field of 4 bytes, or SP_LOOK */
  uint16_t offset; /* SP_LOOK: offsetof(sp_look, ...) of a float */
  uint16_t count;  /* 2 .. SP_MAX_POINTS */
  float points[SP_MAX_POINTS];
} sp_curve;

/* Policy for an object of this type when its parent's life ends. A detached one keeps its world position. */
typedef enum sp_parent_end { SP_PARENT_END_RECYCLE, SP_PARENT_END_DETACH, SP_PARENT_END_COUNT } sp_parent_end;

/* Why a life ended. RECYCLED: by sp_object_recycle; EXPIRED: by its lifetime; EVICTED: by an alloc at the limit;
   RECYCLED_ALL: by sp_pool_recycle_all; REMOVED: with its pool or manager; OUTSIDE: by the bounds of its type; PARENT:
   with its parent; CANCELLED: by sp_alloc_undo. */
#define SP_WHYS(X)                                                                                                     \
  X(RECYCLED, "recycled")                                                                                              \
  X(EXPIRED, "expired")                                                                                                \
  X(EVICTED, "evicted")                                                                                                \
  X(RECYCLED_ALL, "recycled_all")                                                                                      \
  X(REMOVED, "removed")                                                                                                \
  X(OUTSIDE, "outside")                                                                                                \
  X(PARENT, "parent")                                                                                                  \
  X(CANCELLED, "cancelled")
typedef enum sp_why {
#define SP_WHY_ENUM(code, name) SP_WHY_##code,
  SP_WHYS(SP_WHY_ENUM)
#undef SP_WHY_ENUM
      SP_WHY_COUNT
} sp_why;

/* Hooks of a type, all optional. They may call anything, alloc and recycle in their own pool too; but
   sp_manager_update, sp_manager_close and the removal of that pool are SP_BUSY. They must return (no longjmp through
   the core). */
typedef struct sp_pool_hooks {
  void *ud;
  /* Override of recycle: call sp_object_recycle_base(object) to end the life; return without calling it to veto. */
  void (*recycle)(void *ud, sp_pool *pool, sp_ref object, sp_why why);
  void (*on_create)(void *ud, sp_pool *pool, sp_ref object); /* a new object, idle as yet */
  /* A life begins; `fresh`: the first of its object. Return false to undo it: sp_pool_alloc returns 0, SP_FAILED. */
  bool (*on_spawn)(void *ud, sp_pool *pool, sp_ref object, bool fresh);
  void (*on_despawn)(void *ud, sp_pool *pool, sp_ref object, sp_why why); /* a life ends, and can still be read */
  void (*on_reject)(void *ud, sp_pool *pool, sp_ref object);  /* idle_limit refuses it: on_destroy is next */
  void (*on_destroy)(void *ud, sp_pool *pool, sp_ref object); /* it is freed after this */
  /* The last moment of a life, after every other hook: for a binding that keeps data beside the columns. It may read
     and write cells, and nothing else. */
  void (*on_end)(void *ud, sp_pool *pool, sp_ref object, sp_why why);
  sp_ref (*on_overflow)(void *ud, sp_pool *pool);     /* SP_OVERFLOW_FUNCTION: the object to recycle, or 0 to refuse */
  void (*update)(void *ud, sp_pool *pool, double dt); /* in sp_manager_update: before motion */
} sp_pool_hooks;

/* Describes a pool. Make one by sp_pool_defaults(type), then change members. Everything that it points to is copied,
   except `hooks.ud` and `user`. */
typedef struct sp_pool_desc {
  size_t size; /* of this struct, as the program was compiled: sp_pool_defaults sets it */
  const char *type;
  sp_settings settings;
  bool spatial;                            /* has the built-in columns */
  float x, y, vx, vy, ax, ay, angle, spin; /* initial values of these, and `look` */
  sp_look look;
  const sp_field *fields;
  int field_count;
  sp_motion motion;
  sp_bounds bounds;
  sp_box box; /* of a spatial pool */
  const sp_curve *curves;
  int curve_count;
  sp_parent_end on_parent_end;
  sp_pool_hooks hooks;
  void *user; /* the host's */
} sp_pool_desc;

#endif

/*
** spawnpool in C++: managers, snapshots and lives that end with their scope, cells and columns with their type. C++11
** and later. Every call of spawnpool.h takes what `get` returns. Hooks and callbacks must not throw.
*/
#ifndef SPAWNPOOL_HPP
#define SPAWNPOOL_HPP

#include "spawnpool.h"
#include <memory>
#include <utility>

namespace spawnpool {

struct closer {
  void operator()(sp_manager *manager) const noexcept { sp_manager_close(manager); }
  void operator()(sp_snapshot *snapshot) const noexcept { sp_snapshot_free(snapshot); }
};

/* Opens a manager, and closes it at the end of its scope, unless that is inside one of its own hooks or updates. False,
   and get() is null, when it could not be opened, was moved away or released. */
class manager {
public:
  manager() noexcept : owned(sp_manager_open(nullptr, nullptr)) {}
  explicit manager(const sp_manager_options &options, sp_result *result = nullptr) noexcept
      : owned(sp_manager_open(&options, result))
  {
  }
  explicit manager(sp_manager *opened) noexcept : owned(opened) {} /* such as that of sp_manager_load; may be null */

  sp_manager *get() const noexcept { return owned.get(); }
  sp_manager *release() noexcept { return owned.release(); } /* the caller closes it */
  explicit operator bool() const noexcept { return owned != nullptr; }

private:
  std::unique_ptr<sp_manager, closer> owned;
};

/* A snapshot, which may be taken again and again in the same memory, and may outlive the manager. */
class snapshot {
public:
  /* As sp_snapshot_take: unless SP_OK, it still holds what it held. */
  sp_result take(sp_manager *of) noexcept
  {
    sp_result result;
    if (sp_snapshot *taken = sp_snapshot_take(of, owned.get(), &result))
      if (!owned)
        owned.reset(taken);
    return result;
  }
  /* As sp_snapshot_restore; SP_NONE when nothing was taken. */
  sp_result restore(sp_manager *into) const noexcept
  {
    return owned ? sp_snapshot_restore(into, owned.get()) : SP_NONE;
  }

  const sp_snapshot *get() const noexcept { return owned.get(); }
  explicit operator bool() const noexcept { return owned != nullptr; }

private:
  std::unique_ptr<sp_snapshot, closer> owned;
};

/* The life of an object: at the end of the scope the object is recycled, unless its life has ended already or a hook
   vetoes. The manager must be open then. True while the object is live. */
class life {
public:
  life() noexcept = default;
  life(sp_manager *manager, sp_ref named) noexcept : in(manager), object(named) {}
  /* Allocates, as sp_pool_alloc. */
  explicit life(sp_pool *pool, double lifetime = 0, const sp_start *start = nullptr,
                sp_result *result = nullptr) noexcept
      : in(sp_pool_manager(pool)), object(sp_pool_alloc(pool, lifetime, start, result))
  {
  }
  life(life &&other) noexcept : in(other.in), object(other.release()) {}
  life &operator=(life &&other) noexcept
  {
    life moved(std::move(other)); /* ends the life that was here */
    std::swap(in, moved.in);
    std::swap(object, moved.object);
    return *this;
  }
  ~life()
  {
    if (*this)
      sp_object_recycle(in, object);
  }

  sp_ref get() const noexcept { return object; }
  sp_ref release() noexcept /* the object outlives the scope */
  {
    sp_ref released = object;
    object = SP_NULL_REF;
    return released;
  }
  explicit operator bool() const noexcept { return in && sp_object_is_live(in, object); }

private:
  sp_manager *in = nullptr;
  sp_ref object = SP_NULL_REF;
};

} // namespace spawnpool

/* sp_object_cell, sp_object_peek and sp_pool_column for a column whose cells are of this type:
   `float *x = sp_object_cell_as<float>(manager, object, SP_X)`. NULL as they are. */
template <class T> T *sp_object_cell_as(sp_manager *manager, sp_ref object, int column)
{
  return static_cast<T *>(sp_object_cell(manager, object, column));
}
template <class T> const T *sp_object_peek_as(const sp_manager *manager, sp_ref object, int column)
{
  return static_cast<const T *>(sp_object_peek(manager, object, column));
}
template <class T> T *sp_pool_column_as(sp_pool *pool, uint32_t chunk, int column)
{
  return static_cast<T *>(sp_pool_column(pool, chunk, column));
}

#endif

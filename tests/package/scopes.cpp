/*
** Managers, snapshots and lives end with their scope, once, wherever they were moved meanwhile. Exits with the line of
** the first promise that does not hold.
*/
#include <spawnpool.hpp>
#include <spawnpool_tools.h>

#include <type_traits>
#include <vector>

#define EXPECT(is_so)                                                                                                  \
  do {                                                                                                                 \
    if (!(is_so))                                                                                                      \
      return __LINE__ % 256;                                                                                           \
  } while (false)

template <class T> constexpr bool moves_only()
{
  return std::is_nothrow_move_constructible<T>::value && std::is_nothrow_move_assignable<T>::value &&
         !std::is_copy_constructible<T>::value && !std::is_copy_assignable<T>::value;
}
static_assert(moves_only<spawnpool::manager>() && moves_only<spawnpool::snapshot>() && moves_only<spawnpool::life>(),
              "each has one owner");

static int ended, vetoes;

static sp_pool *open_pool(sp_manager *manager)
{
  sp_pool_desc desc = sp_pool_defaults("Tank");
  desc.hooks.on_despawn = [](void *, sp_pool *, sp_ref, sp_why) { ended++; };
  return sp_manager_add_pool(manager, &desc, nullptr);
}

static int test_lives()
{
  spawnpool::manager game;
  sp_pool *tanks = open_pool(game.get());
  {
    spawnpool::life first{tanks}, second{tanks}, none;
    sp_ref kept = first.get();
    spawnpool::life moved = std::move(first);
    EXPECT(!first && moved && moved.get() == kept && !none);
    spawnpool::life &itself = moved;
    moved = std::move(itself);
    EXPECT(moved && ended == 0);
    moved = std::move(second); /* the first one ends here */
    EXPECT(ended == 1 && moved && sp_pool_live(tanks) == 1);
  }
  EXPECT(ended == 2 && sp_pool_live(tanks) == 0);

  sp_ref free_one;
  {
    spawnpool::life released{tanks}, over{tanks, 1.0};
    sp_manager_update(game.get(), 2);
    EXPECT(!over && ended == 3);
    free_one = released.release();
    EXPECT(!released);
  }
  sp_stats stats;
  sp_pool_stats(tanks, &stats);
  EXPECT(stats.live == 1 && stats.double_recycles == 0 && sp_object_is_live(game.get(), free_one));
  {
    spawnpool::life again{game.get(), free_one};
  }
  EXPECT(sp_pool_live(tanks) == 0);

  std::vector<spawnpool::life> many;
  for (int i = 0; i < 100; i++)
    many.emplace_back(tanks);
  many.erase(many.begin(), many.begin() + 40);
  EXPECT(sp_pool_live(tanks) == 60);
  many.clear();

  sp_result why = SP_OK;
  spawnpool::life refused{tanks, -1.0, nullptr, &why};
  EXPECT(!refused && why == SP_INVALID);

  sp_pool_hooks keep = sp_pool_desc_of(tanks)->hooks;
  keep.recycle = [](void *, sp_pool *, sp_ref, sp_why) { vetoes++; };
  sp_pool_set_hooks(tanks, &keep);
  {
    spawnpool::life kept{tanks};
  }
  EXPECT(vetoes == 1 && sp_pool_live(tanks) == 1);
  return 0;
}

static int test_snapshots()
{
  spawnpool::snapshot then, empty;
  EXPECT(!then);
  {
    spawnpool::manager game;
    sp_pool *tanks = open_pool(game.get());
    EXPECT(empty.restore(game.get()) == SP_NONE);
    sp_ref tank = sp_pool_alloc(tanks, 0, nullptr, nullptr);
    EXPECT(then.take(game.get()) == SP_OK && then.take(game.get()) == SP_OK && then);
    sp_object_recycle(game.get(), tank);
    EXPECT(then.restore(game.get()) == SP_OK && sp_object_is_live(game.get(), tank));
    empty = std::move(then);
    then = spawnpool::snapshot{};
  }
  EXPECT(!then && empty && sp_snapshot_bytes(empty.get()) > 0); /* outlives its manager */
  return 0;
}

static int test_managers()
{
  sp_manager_options wrong = sp_manager_defaults();
  wrong.step = -1;
  sp_result why = SP_OK;
  spawnpool::manager none{wrong, &why};
  EXPECT(!none && !none.get() && why == SP_INVALID);

  int before = ended;
  spawnpool::manager game, other;
  sp_pool_alloc(open_pool(game.get()), 0, nullptr, nullptr);
  sp_manager *same = game.get();
  other = std::move(game);
  EXPECT(!game && other.get() == same && ended == before);
  spawnpool::manager owned{other.release()};
  owned = spawnpool::manager{};
  EXPECT(ended == before + 1);

  /* Its own hook cannot close it: it stays open, and is closed by who had it in the first place. */
  sp_pool *tanks = open_pool(owned.get());
  sp_pool_hooks hooks = sp_pool_desc_of(tanks)->hooks;
  hooks.on_despawn = [](void *, sp_pool *pool, sp_ref, sp_why) { spawnpool::manager now{sp_pool_manager(pool)}; };
  sp_pool_set_hooks(tanks, &hooks);
  {
    spawnpool::life life{tanks};
  }
  EXPECT(sp_pool_live(tanks) == 0 && sp_manager_update(owned.get(), 1) == SP_OK);
  return 0;
}

int main()
{
  if (int line = test_lives())
    return line;
  if (int line = test_snapshots())
    return line;
  return test_managers();
}

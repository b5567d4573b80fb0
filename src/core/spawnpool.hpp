/*
** spawnpool in C++: cells and columns with their type. C++11 and later.
*/
#ifndef SPAWNPOOL_HPP
#define SPAWNPOOL_HPP

#include "spawnpool.h"

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

/*
** A tree of spots, for distances of any scale. A node holds the box of its spots' centres and their largest radius. It
** is cut into up to 64 cells, more along the axis on which it is longer. Each cell that has spots becomes a child with
** a box of its own, so a spot that is far away costs one node.
*/
#ifndef SP_CORE_SPOT_TREE_H
#define SP_CORE_SPOT_TREE_H

#include "core/progress.h"
#include "core/spots.h"

#define SP_TREE_LEAF 16u   /* so many spots are not cut further */
#define SP_TREE_DEPTH 128u /* levels at most: enough for all scales of floats */

/* Nodes as arrays of their numbers. Node 0 is the root; the children of a node follow each other. */
typedef struct sp_spot_tree {
  float *left, *right, *top, *bottom, *radius; /* box of the centres, largest radius */
  uint32_t *first, *count;                     /* of spots; or of children, with SP_TREE_INNER */
  uint32_t nodes, room;
  sp_spots spots; /* in the order of the leaves */
} sp_spot_tree;

#define SP_TREE_INNER 0x80000000u /* flag in `count`: the node has children */

/* Bytes that a tree of `count` spots needs besides the spots themselves; a multiple of 8. */
size_t sp_spot_tree_size(uint32_t count);
/* Builds the tree in such a block, and sorts `spots` for it. Returns false if the query must end. */
bool sp_spot_tree_build(sp_spot_tree *tree, unsigned char *block, const sp_spots *spots, sp_progress *progress);

/* The box of a node. */
static inline sp_box sp_spot_tree_box(const sp_spot_tree *t, uint32_t node)
{
  return (sp_box){t->left[node], t->right[node], t->top[node], t->bottom[node], t->radius[node]};
}

#endif

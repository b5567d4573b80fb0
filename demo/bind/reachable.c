#include "demo/bind/reachable.h"

const sp_reach player_reachable[] = {PLAYER_REACHABLE(SP_REACH_ENTRY){NULL, NULL, NULL, NULL}};

#include "script/bind/reachable.h"

const sp_reach sp_reachable[] = {SP_REACHABLE(SP_REACH_ENTRY){NULL, NULL, NULL, NULL}};

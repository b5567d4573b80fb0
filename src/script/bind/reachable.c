#include "script/bind/reachable.h"

const sp_reach sp_reachable[] = {SP_REACHABLE(SP_REACH_ENTRY) SP_REACH_END};

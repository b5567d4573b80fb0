/*
** A page receives no signals: it calls sp_web_close and sp_web_reload instead.
*/
#include "demo/app/interrupt.h"

void interrupt_prepare(void) {}
void interrupt_start(interrupt *it) { it->thread = NULL; }
void interrupt_stop(interrupt *it) { (void)it; }

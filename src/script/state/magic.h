/*
** Marks of our full userdata; see sp_to_handle.
*/
#ifndef SP_SCRIPT_MAGIC_H
#define SP_SCRIPT_MAGIC_H

#define SP_MAGIC_MANAGER 0x73706d616e616765u
#define SP_MAGIC_POOL 0x7370706f6f6c5f31u
#define SP_MAGIC_TIMER 0x737074696d65725fu
#define SP_MAGIC_SNAPSHOT 0x7370736e61707368u

#endif

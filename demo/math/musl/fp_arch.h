/*
** Defines what these files take from musl's own headers, and what other C libraries have in their <math.h>.
*/
#ifndef SP_MUSL_FP_ARCH_H
#define SP_MUSL_FP_ARCH_H

#ifdef _WIN32
#define hidden
#else
#define hidden __attribute__((visibility("hidden")))
#endif

#ifndef M_PI_2
#define M_PI_2 1.57079632679489661923
#endif

#define __sinl sp_musl_sinl
#define __cosl sp_musl_cosl
#define __tanl sp_musl_tanl
#define __sin sp_musl_sin
#define __cos sp_musl_cos
#define __tan sp_musl_tan
#define __sindf sp_musl_sindf
#define __cosdf sp_musl_cosdf
#define __expo2 sp_musl_expo2
#define __rem_pio2 sp_musl_rem_pio2
#define __rem_pio2f sp_musl_rem_pio2f
#define __rem_pio2_large sp_musl_rem_pio2_large
#define __math_divzero sp_musl_divzero
#define __math_invalid sp_musl_invalid
#define __math_oflow sp_musl_oflow
#define __math_uflow sp_musl_uflow
#define __math_xflow sp_musl_xflow
#define __exp_data sp_musl_exp_data
#define __log_data sp_musl_log_data
#define __log2_data sp_musl_log2_data
#define __pow_log_data sp_musl_pow_log_data

#endif

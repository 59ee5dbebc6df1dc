/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The event of a fault: an allocation that was made to fail.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM alloctag

#if !defined(_ALLOCTAG_FAULTS_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _ALLOCTAG_FAULTS_TRACE_H

#include <linux/tracepoint.h>
#include <trace/events/mmflags.h>

TRACE_EVENT(alloctag_fault,
	    TP_PROTO(const struct alloc_tag *tag, const char *file,
		     size_t length, size_t bytes, gfp_t gfp),
	    TP_ARGS(tag, file, length, bytes, gfp),
	    TP_STRUCT__entry(__string_len(file, file, length)
			     __string(function, tag->function)
			     __field(unsigned int, line)
			     __field(size_t, bytes)
			     __field(unsigned long, gfp)),
	    TP_fast_assign(__assign_str(file);
			   __assign_str(function);
			   __entry->line = READ_ONCE(tag->lineno) & ALLOC_TAG_LINE;
			   __entry->bytes = bytes;
			   __entry->gfp = (__force unsigned long)gfp;),
	    TP_printk("%s:%u func:%s bytes=%zu gfp_flags=%s", __get_str(file),
		      __entry->line, __get_str(function), __entry->bytes,
		      show_gfp_flags(__entry->gfp))
);

#endif /* _ALLOCTAG_FAULTS_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE faults_trace
#include <trace/define_trace.h>

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of allocations, each of which names the call site.
 *
 * What is freed names the one that had allocated it. There are as many as the
 * accounts of call sites say, so that their sums are the same.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM alloctag

#if !defined(_ALLOCTAG_EVENTS_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _ALLOCTAG_EVENTS_TRACE_H

#include <linux/tracepoint.h>
#include <trace/events/mmflags.h>

struct alloctag_site;
struct alloctag_object;

/* Begin with the first who looks at an event, and end with the last; may sleep. */
int alloctag_names_begin(void);
void alloctag_names_end(void);
int alloctag_traced_begin(void);
void alloctag_traced_end(void);

#ifndef _ALLOCTAG_EVENTS_SITE
#define _ALLOCTAG_EVENTS_SITE
/* The call site, as every event has it. */
#define ALLOCTAG_SITE_FIELDS						\
	__string_len(file, site->file, site->file_length)		\
	__string_len(function, site->function, site->function_length)	\
	__string_len(module, site->module, site->module_length)		\
	__field(unsigned int, line)					\
	__field(unsigned int, account)
#define ALLOCTAG_SITE_ASSIGN						\
	__assign_str(file);						\
	__assign_str(function);						\
	__assign_str(module);						\
	__entry->line = site->line;					\
	__entry->account = site->account;
/* As /proc/allocinfo shows it; the length of no name is that of its end. */
#define ALLOCTAG_SITE_FORMAT	"%s:%u%s%s%s func:%s account=%u"
#define ALLOCTAG_SITE_SHOWN						\
	__get_str(file), __entry->line,					\
	__get_dynamic_array_len(module) > 1 ? " [" : "",		\
	__get_str(module),						\
	__get_dynamic_array_len(module) > 1 ? "]" : "",			\
	__get_str(function), __entry->account

/* What is given or taken, behind the call site. */
#define ALLOCTAG_OBJECT_FIELDS						\
	ALLOCTAG_SITE_FIELDS						\
	__field(const void *, ptr)					\
	__field(unsigned long, pfn)					\
	__field(size_t, bytes_req)					\
	__field(size_t, bytes_alloc)					\
	__field(unsigned int, order)					\
	__field(int, nid)
#define ALLOCTAG_OBJECT_ASSIGN						\
	ALLOCTAG_SITE_ASSIGN						\
	__entry->ptr = object->ptr;					\
	__entry->pfn = object->pfn;					\
	__entry->bytes_req = object->bytes_req;				\
	__entry->bytes_alloc = object->bytes_alloc;			\
	__entry->order = object->order;					\
	__entry->nid = object->nid;
#define ALLOCTAG_OBJECT_FORMAT	ALLOCTAG_SITE_FORMAT			\
	" ptr=%p pfn=0x%lx bytes_req=%zu bytes_alloc=%zu order=%u nid=%d"
#define ALLOCTAG_OBJECT_SHOWN						\
	ALLOCTAG_SITE_SHOWN, __entry->ptr, __entry->pfn,		\
	__entry->bytes_req, __entry->bytes_alloc, __entry->order,	\
	__entry->nid
#endif

TRACE_EVENT_FN(alloc,
	       TP_PROTO(const struct alloctag_site *site,
			const struct alloctag_object *object, gfp_t gfp),
	       TP_ARGS(site, object, gfp),
	       TP_STRUCT__entry(ALLOCTAG_OBJECT_FIELDS
				__field(unsigned long, gfp_flags)),
	       TP_fast_assign(ALLOCTAG_OBJECT_ASSIGN
			      __entry->gfp_flags = (__force unsigned long)gfp;),
	       TP_printk(ALLOCTAG_OBJECT_FORMAT " gfp_flags=%s",
			 ALLOCTAG_OBJECT_SHOWN,
			 show_gfp_flags(__entry->gfp_flags)),
	       alloctag_traced_begin, alloctag_traced_end
);

TRACE_EVENT_FN(free,
	       TP_PROTO(const struct alloctag_site *site,
			const struct alloctag_object *object,
			unsigned long call_site),
	       TP_ARGS(site, object, call_site),
	       TP_STRUCT__entry(ALLOCTAG_OBJECT_FIELDS
				__field(void *, call_site)),
	       TP_fast_assign(ALLOCTAG_OBJECT_ASSIGN
			      __entry->call_site = (void *)call_site;),
	       TP_printk(ALLOCTAG_OBJECT_FORMAT " call_site=%pS",
			 ALLOCTAG_OBJECT_SHOWN, __entry->call_site),
	       alloctag_traced_begin, alloctag_traced_end
);

TRACE_EVENT_FN(fail,
	       TP_PROTO(const struct alloctag_site *site, size_t bytes,
			unsigned int order, gfp_t gfp, bool injected, bool again),
	       TP_ARGS(site, bytes, order, gfp, injected, again),
	       TP_STRUCT__entry(ALLOCTAG_SITE_FIELDS
				__field(size_t, bytes_req)
				__field(unsigned int, order)
				__field(unsigned long, gfp_flags)
				__field(bool, injected)
				__field(bool, again)),
	       TP_fast_assign(ALLOCTAG_SITE_ASSIGN
			      __entry->bytes_req = bytes;
			      __entry->order = order;
			      __entry->gfp_flags = (__force unsigned long)gfp;
			      __entry->injected = injected;
			      __entry->again = again;),
	       TP_printk(ALLOCTAG_SITE_FORMAT " bytes_req=%zu order=%u gfp_flags=%s injected=%d again=%d",
			 ALLOCTAG_SITE_SHOWN, __entry->bytes_req,
			 __entry->order, show_gfp_flags(__entry->gfp_flags),
			 __entry->injected, __entry->again),
	       alloctag_names_begin, alloctag_names_end
);

#ifdef CONFIG_ALLOCTAG_STALLS
TRACE_EVENT_FN(stall,
	       TP_PROTO(const struct alloctag_site *site, unsigned int cause,
			u64 ns),
	       TP_ARGS(site, cause, ns),
	       TP_STRUCT__entry(ALLOCTAG_SITE_FIELDS
				__field(unsigned int, cause)
				__field(u64, ns)),
	       TP_fast_assign(ALLOCTAG_SITE_ASSIGN
			      __entry->cause = cause;
			      __entry->ns = ns;),
	       TP_printk(ALLOCTAG_SITE_FORMAT " cause=%s ns=%llu",
			 ALLOCTAG_SITE_SHOWN,
			 __print_symbolic(__entry->cause,
					  { 0, "reclaim" }, { 1, "compaction" },
					  { 2, "oom" }, { 3, "pages" },
					  { 4, "slab" }, { 5, "percpu" },
					  { 6, "vmalloc" }),
			 __entry->ns),
	       alloctag_names_begin, alloctag_names_end
);
#endif

#endif /* _ALLOCTAG_EVENTS_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE events_trace
#include <trace/define_trace.h>

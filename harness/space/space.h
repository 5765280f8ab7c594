/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case spaces: a product of named, finite, ordered axes with predicates, enumerated without visiting the points that
 * the predicates rule out. A point has an index (for ranges, shards and resume) and an id (for people). Each is
 * computed from the other without enumerating.
 *
 * A scalar axis has one value. A vector axis has several: their number is the value of its length axis ("rank") or a
 * constant. The vector axes with the same length form a group. Element k of all axes of a group is one digit, whose
 * values are the tuples that the group's elementwise predicates allow; these may read length axes as well
 * ("rank <= 2 or size <= 3"). So a window that exceeds its dimension is never visited, at any rank.
 *
 * Order, outermost first: the length axes (each combination is a block), the other scalar axes as declared, then
 * group after group, dimension after dimension. If space_allow_inner was called, some scalar axes are inner ones
 * instead and vary fastest (space_inner.c). The index counts the points in this order; points that other predicates
 * rule out keep their index and are skipped.
 *
 * A covering space holds chosen rows of the same product instead (covering.c); its index is the row. In a drawn space,
 * the values of a point are computed from its index, and may be any values of the axes' type (space_drawn.c).
 */
#ifndef TOUCHSTONE_SPACE_H
#define TOUCHSTONE_SPACE_H

#include "harness/base/error.h"
#include "harness/expr/expr.h"

#include <stdint.h>

#define CASE_ID_SIZE 1024 /* bytes of the longest case id, its NUL included */

#define SPACE_MAX_AXES    48
#define SPACE_MAX_DIGITS  96
#define SPACE_MAX_ALIASES 24
#define SPACE_MAX_GROUPS  8
#define SPACE_MAX_TUPLES  (1u << 21)
#define SPACE_MAX_INNER   64 /* combinations of values of inner axes */
#define SPACE_SCALAR      (-1)
#define SPACE_FIXED       (-2)

/* One axis. space_add_axis copies the strings and arrays. */
typedef struct space_axis {
    const char *name;
    const char *description; /* one line: what its values are; or NULL */
    int per;                 /* SPACE_SCALAR; SPACE_FIXED with `fixed` elements; or the slot of its length axis */
    uint32_t fixed;
    int64_t fallback;      /* the default value, which ids leave out */
    bool always;           /* ids include the default value, too */
    bool position;         /* a vector that holds 1, 2, 3, ...: for predicates and bindings; never in an id */
    const int64_t *values; /* of this test, in order */
    size_t count;
    /* Names of enumerated values, or NULL. The value of symbols[i] is symbol_values[i]. */
    const char *const *symbols;
    const int64_t *symbol_values;
    size_t symbol_count;
    bool numbers; /* the names are decimal numbers, and their values the keys of these (harness/base/decimal.h) */
} space_axis;

typedef struct space space;
struct text; /* harness/base/text.h */

/* Create the space of test `test` of operator `op`. NULL only if memory is out. */
space *space_new(const char *op, const char *test);
void space_free(space *s);

/* Borrow the texts of axes and aliases that `other` has in the same place: names, descriptions and names of values. The
   tests of a family have the same axes, and there are thousands of tests. `other` must not be freed while s is used. */
void space_share_texts(space *s, const space *other);

/* Add an axis; its slot is the number of axes added before. A length axis must be added before its vector axes. */
bool space_add_axis(space *s, const space_axis *axis, error *e);

/* Let queries write `name` for the expression. After the axes are added, before the space is filtered. */
bool space_add_alias(space *s, const char *name, const char *text, error *e);

/* Let queries read facts of its points. Borrowed. */
void space_set_facts(space *s, expr_facts *facts);

/* Rule out the points where the predicate is false. Before space_close. A predicate that fails (divides by zero,
   indexes outside a vector) ends a walk with an error, unless another predicate decided no later rules the point out.
 */
bool space_where(space *s, const char *predicate, const char *where, error *e);

/* Let scalar axes with few values be inner axes: a walk then evaluates the vectors once for all their values. Before
   space_close; not for covering spaces. */
void space_allow_inner(space *s);

/* Fix the axes and compute blocks, tuples and digits. An error if the space has more than 2^62 points, or none because
   an axis has no value. */
bool space_close(space *s, error *e);

/* Draws the values of point `index`. The class axes have their value, all others their default and vectors the length
   SPACE_NOT_DRAWN; what is left at that has the default. A vector that is drawn gets its length as well. `attempt`
   counts the earlier values of this index, which predicates ruled out or the drawer itself (*again, false before the
   call). The same index and attempt must give the same values in every process. False on error, with e set. */
typedef bool (*space_drawer)(void *context, uint64_t index, unsigned attempt, expr_value *values, bool *again,
                             error *e);
#define SPACE_NOT_DRAWN UINT32_MAX

/* Instead of space_close: a drawn space. class_slots: the scalar axes whose combinations are enumerated, each in turn;
   they alone must decide what a gate says. `context` is borrowed. The space has no points before space_set_draws. */
bool space_close_drawn(space *s, uint64_t class_slots, space_drawer draw, void *context, error *e);
bool space_is_drawn(const space *s);
uint64_t space_class_slots(const space *s); /* of a drawn space */

/* Set the number of drawn points. Before any point is added (space_find). */
void space_set_draws(space *s, uint64_t count);

/* Append the values of the first `count` points of a drawn space as bytes. An error if a point cannot be drawn.
   (space_kept.c) */
bool space_write_drawn(const space *s, uint64_t count, struct text *t, error *e);

/* From now on, take the values of the first points of a drawn space from what space_write_drawn wrote instead of
   drawing them. False, with the space unchanged, if the bytes are not of that form. Points that the predicates rule out
   are drawn as ever; that the others are those that the drawer would draw is not checked: whoever kept the bytes
   vouches for that. The bytes are copied. */
bool space_read_drawn(space *s, const void *bytes, size_t size);

/* Was a point of a drawn space added (space_find), instead of drawn? Its values may be those of a drawn point, too. */
bool space_is_added(const space *s, uint64_t index);

/* Keep only rows that together cover every combination of values of `strength` axes (or elements of vector axes)
   that the predicates allow, per block. After space_close and before space_filter. Deterministic. (covering.c) */
bool space_cover(space *s, unsigned strength, error *e);

/* Append what the rows of a covering space depend on: its axes and predicates. After space_close. (space_rows.c) */
void space_describe(const space *s, struct text *t);

/* Append the rows of a covering space as bytes. */
void space_write_rows(const space *s, struct text *t);

/* Take rows that space_write_rows wrote, instead of calling space_cover. False, with the space unchanged, if the bytes
   are not rows of this space: each row must be a legal point, and none may be there twice. Whether they cover what
   they should is not checked: whoever kept the bytes vouches for that. */
bool space_read_rows(space *s, const void *bytes, size_t size);

/* Apply a query: rule out points without changing any index. Each call is one alternative; a point stays if any
   alternative holds. A NULL predicate always holds. */
bool space_filter(space *s, const char *predicate, const char *where, error *e);

/* Keep only the points with these ascending indices, if predicates and filters leave them. The indices are copied. */
bool space_choose(space *s, const uint64_t *indices, size_t count, error *e);

const char *space_op(const space *s);
const char *space_test(const space *s);
size_t space_axis_count(const space *s);
const space_axis *space_axis_at(const space *s, size_t slot);
int space_axis_named(const space *s, const char *name); /* slot or -1 */

/* The name of a value of an axis of enumerated values, or NULL. */
const char *space_symbol(const space_axis *axis, int64_t value);

const expr_scope *space_scope(const space *s);          /* after space_close: slot i is axis i */

/* Indices run from 0 to space_points - 1. */
uint64_t space_points(const space *s);

/* Judges a class of points, once its length axes and scalar axes are set (vectors are not): false skips the class.
   Classes that differ in inner axes alone are judged one after the other before a point of any of them is visited;
   `inner` is what the cursor's `inner` will be at the points of this one. */
typedef bool (*space_gate)(void *context, const expr_value *values, unsigned inner);

/* ---- the parts of a cursor, which belong to the walk ---- */

/* What space_start was called with. */
typedef struct space_range {
    uint64_t end;
    bool single;     /* it began with one point: no other combination of the inner axes is asked about */
    space_gate gate; /* may be NULL */
    void *context;   /* of the gate */
} space_range;

/* The odometer: a block (one combination of lengths) and a number for each of its digits. In a level-by-level table
   below, level 0 is before any digit and level l + 1 after digit l. */
typedef struct space_position {
    unsigned block;
    uint32_t digit[SPACE_MAX_DIGITS]; /* those of inner axes only in a covering space */
} space_position;

#define SPACE_MAX_LEVELS (SPACE_MAX_DIGITS + 1)

/* A predicate that reads an inner axis and is undecided for some combinations of the inner axes (space_inner.c). */
typedef struct space_inner_wait {
    uint16_t predicate, level; /* where the rest of what it reads is known */
    int16_t element;           /* decided for this element alone; -1: as a whole */
    uint64_t open;             /* the combinations for which it is undecided, as a set of bits */
} space_inner_wait;

#define SPACE_MAX_INNER_WAITS 256

/* The combinations of values of the inner axes, as sets of bits. */
typedef struct space_combinations {
    uint64_t base;                       /* the index of combination 0 at the present position */
    unsigned from;                       /* combinations before this one are outside of the range */
    uint64_t allowed[SPACE_MAX_LEVELS];  /* per level: not ruled out by what is decided there */
    uint64_t doubtful[SPACE_MAX_LEVELS]; /* per level: those of them for which a predicate failed */
    unsigned wait_count;
    space_inner_wait waits[SPACE_MAX_INNER_WAITS];
} space_combinations;

/* A predicate that cannot be decided before a level. */
typedef struct space_wait {
    uint16_t predicate, level;
    uint16_t next; /* in the list of its level */
} space_wait;

#define SPACE_MAX_WAITS 4096

/* The undecided predicates: a stack, with a list of its entries for each level (space_watch.c). */
typedef struct space_pending {
    uint16_t count;
    uint16_t first[SPACE_MAX_LEVELS];            /* per level: the list of the entries that wait for it */
    uint16_t count_before[SPACE_MAX_LEVELS + 1]; /* per level: `count` when the level before it was done */
    uint16_t undecided[SPACE_MAX_LEVELS];        /* per level: how many predicates were undecided after it */
    space_wait waits[SPACE_MAX_WAITS];           /* not cleared by space_start: large */
} space_pending;

/* A walk over the legal points of a range of indices. About 60 KB. */
typedef struct space_cursor {
    const space *space;
    uint64_t index;                    /* of the current point */
    expr_value values[EXPR_MAX_SLOTS]; /* of the current point, slot by slot */
    unsigned inner;                    /* its combination of values of the inner axes; 0 if there are none */
    bool new_class;           /* the walk starts here, or a length axis or a scalar axis that is no inner one changed */
    uint64_t changed;         /* if not new_class: the slots that may differ from the point before */
    uint32_t changed_element; /* if only one group of them are vectors: its first changed element, else 0 */
    const expr *failed;       /* the predicate that cannot be evaluated (expr_why), which ended the walk; or NULL */
    const char *problem;      /* why a point could not be drawn, which ended the walk; or NULL */

    /* private */
    uint64_t touched;      /* the vectors that have had another value since the point before */
    unsigned inner_before; /* `inner` at the point before */
    bool whole;            /* visit what is not chosen, and what filters rule out, as well */
    space_range range;
    space_position at;
    space_combinations combinations;
    space_pending pending;
} space_cursor;

/* Start a walk at the first legal point in [first, end); false if there is none. gate may be NULL. */
bool space_start(space_cursor *c, const space *s, uint64_t first, uint64_t end, space_gate gate, void *context);

/* The same for all points from `first` on that the predicates allow, whatever was chosen or filtered. */
bool space_start_whole(space_cursor *c, const space *s, uint64_t first, space_gate gate, void *context);

/* Go to the next legal point; false after the last one, or if the walk failed. */
bool space_next(space_cursor *c);

/* Did the walk end because a predicate failed or a point could not be drawn? Then e says so. */
bool space_failed(const space_cursor *c, error *e);

/* Count the legal points in [first, end), without visiting those whose predicates are all decided. False if a predicate
   failed. */
bool space_count(const space *s, uint64_t first, uint64_t end, space_gate gate, void *context, uint64_t *count,
                 error *e);

/* What an id has in place of parameters if all of them are at their defaults. Ids were once written with nothing there,
   "dml.slice1:exhaustive:", and are read in that form, too. */
#define SPACE_ALL_DEFAULTS "default"

/* Format the id of the current point: "dml.slice1:exhaustive:dtype=f16,size=4.1", or "dml.slice1:exhaustive:default".
   Returns the same as snprintf. */
int space_format_id(const space_cursor *c, char *buf, size_t size);

/* The parameters as axis=value pairs: "" for SPACE_ALL_DEFAULTS, else the text itself. */
const char *space_parameters(const char *parameters);

/* The same of a whole id: what is behind its last colon. NULL if it has none. */
const char *space_parameters_of_id(const char *id);

/* Format the part of that id about one axis: "size=4.1"; "" where the id does not name it. Returns the same. */
int space_format_parameter(const space_cursor *c, size_t slot, char *buf, size_t size);

/* Find the index of an id's parameters ("dtype=f16,size=4.1"; "default" or "" for the defaults). Errors name the
   axis and its values. A point that predicates rule out is an error as well. */
bool space_parse_id(const space *s, const char *parameters, uint64_t *index, error *e);

/* The same for any space. A drawn one gets a point with these values, whose index holds for this object alone. */
bool space_find(space *s, const char *parameters, uint64_t *index, error *e);

/* The values of an id's parameters, by slot: those of EXPR_MAX_SLOTS axes. Whether there is such a point is not asked.
 */
bool space_parse_values(const space *s, const char *parameters, expr_value *values, error *e);

/* A hash of the values of a point that differ from the default: the same under any index. */
uint64_t space_point_hash(const space *s, const expr_value *values);

/* Put the cursor at the point with these parameters, which a covering space need not have among its rows. The cursor
   is at this point alone and has the given index. False if there is no such point, or predicates rule it out. */
bool space_point(space_cursor *c, const space *s, const char *parameters, uint64_t index, error *e);

/* Put the cursor at the case with these values, one for each axis; positions and vectors of length SPACE_NOT_DRAWN are
   completed. In a drawn space it gets the given index, else its own. False if predicates rule it out or, but for a
   drawn space, it is no point of the space. */
bool space_place(space_cursor *c, const space *s, const expr_value *values, uint64_t index, error *e);

/* Is this the slot of a length axis? */
bool space_is_length(const space *s, size_t slot);

/* Is it a covering space? */
bool space_is_covering(const space *s);

/* A class is the points that share all scalars and lengths. The index of a point of the next class: the next value of
   the fastest scalar axis (its first value after its last), and the same vectors. index + 1 in a covering space, or if
   no scalar axis has two values. */
uint64_t space_next_class(const space *s, uint64_t index);

/* The first index behind the current point's class. With inner axes, or in a covering space: the next index. */
uint64_t space_class_end(const space_cursor *c);

#endif

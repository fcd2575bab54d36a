/* The best k passages of each query, from postings: see kernel.py, which calls it and says the same in numpy.

   Exact: every sum runs in 64 bits in the order of the groups as they come (greatest possible weight first), and
   order is made on the sum rounded to 32 bits, then on the passages' keys. A posting list that can bring no new passage
   among the best is not gone through (MaxScore, Turtle and Flood 1995): the passages met so far are looked up in it.
   No floating-point contraction (-ffp-contract=off), so that every machine adds alike. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Scores are compared after rounding to 32 bits; what may round up to the least score is kept. */
#define MARGIN (1.0 - 1e-6)
/* So few best ones are kept in a heap; more are selected from all. */
#define FEW 128

typedef struct {
    int64_t passages;
    double *sums, *best, *copy;
    uint8_t *seen, *in_best;
    int32_t *touched, *of_group, *few;
    uint64_t *order;
} Scratch;

EXPORT void latinsearch_free(Scratch *s) {
    if (!s) return;
    free(s->sums); free(s->best); free(s->copy); free(s->seen); free(s->in_best);
    free(s->touched); free(s->of_group); free(s->few); free(s->order); free(s);
}

EXPORT Scratch *latinsearch_scratch(int64_t passages) {
    Scratch *s = calloc(1, sizeof(Scratch));
    size_t n = (size_t)passages + 1;
    if (!s) return NULL;
    s->passages = passages;
    s->sums = calloc(n, sizeof(double)); s->best = calloc(n, sizeof(double)); s->copy = malloc(n * sizeof(double));
    s->seen = calloc(n, 1); s->in_best = calloc(n, 1);
    s->touched = malloc(n * sizeof(int32_t)); s->of_group = malloc(n * sizeof(int32_t));
    s->few = malloc(n * sizeof(int32_t));
    s->order = malloc(n * sizeof(uint64_t));
    if (!s->sums || !s->best || !s->copy || !s->seen || !s->in_best || !s->touched || !s->of_group || !s->few || !s->order) {
        latinsearch_free(s);
        return NULL;
    }
    return s;
}

/* Brings the n greatest to the front, where the last of them stands at place n - 1; the rest behind. */
static void select_order(uint64_t *a, int64_t size, int64_t last) {
    int64_t low = 0, high = size - 1;
    while (low < high) {
        int64_t i = low - 1, j = high + 1;
        uint64_t x = a[low], y = a[low + (high - low) / 2], z = a[high];
        uint64_t pivot = x > y ? (y > z ? y : (x > z ? z : x)) : (x > z ? x : (y > z ? z : y));
        for (;;) {
            do i++; while (a[i] > pivot);
            do j--; while (a[j] < pivot);
            if (i >= j) break;
            uint64_t t = a[i]; a[i] = a[j]; a[j] = t;
        }
        if (last <= j) high = j; else low = j + 1;
    }
}

static void sift(uint64_t *a, int64_t start, int64_t n) {
    for (int64_t root = start, child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && a[child + 1] < a[child]) child++;
        if (a[root] <= a[child]) return;
        uint64_t t = a[root]; a[root] = a[child]; a[child] = t;
    }
}

static void sift_double(double *a, int64_t start, int64_t n) {
    for (int64_t root = start, child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && a[child + 1] < a[child]) child++;
        if (a[root] <= a[child]) return;
        double t = a[root]; a[root] = a[child]; a[child] = t;
    }
}

/* Descending. Quicksort; a part that halves badly is sorted as a heap. */
static void sort_order(uint64_t *a, int64_t n, int depth) {
    while (n > 24) {
        if (depth-- == 0) {
            for (int64_t i = n / 2; i-- > 0;) sift(a, i, n);
            for (int64_t end = n; end-- > 1;) {
                uint64_t t = a[0]; a[0] = a[end]; a[end] = t;
                sift(a, 0, end);
            }
            return;
        }
        uint64_t x = a[0], y = a[n / 2], z = a[n - 1];
        uint64_t pivot = x > y ? (y > z ? y : (x > z ? z : x)) : (x > z ? x : (y > z ? z : y));
        int64_t i = -1, j = n;
        for (;;) {
            do i++; while (a[i] > pivot);
            do j--; while (a[j] < pivot);
            if (i >= j) break;
            uint64_t t = a[i]; a[i] = a[j]; a[j] = t;
        }
        j++;
        if (j < n - j) { sort_order(a, j, depth); a += j; n -= j; }
        else { sort_order(a + j, n - j, depth); n = j; }
    }
    for (int64_t i = 1; i < n; i++) {
        uint64_t x = a[i];
        int64_t j = i;
        for (; j > 0 && a[j - 1] < x; j--) a[j] = a[j - 1];
        a[j] = x;
    }
}

/* Score and key as one number whose order is theirs: floats as whole numbers of the same order. */
static uint64_t ordered(float score, int32_t key) {
    uint32_t bits;
    score += 0.0f; /* -0 is 0 */
    memcpy(&bits, &score, 4);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return ((uint64_t)bits << 32) | (uint32_t)key;
}

static float score_of(uint64_t ordered) {
    uint32_t bits = (uint32_t)(ordered >> 32);
    float score;
    bits = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
    memcpy(&score, &bits, 4);
    return score;
}

typedef struct {
    const int64_t *starts; /* of each term's postings; one more at the end */
    const int32_t *rows;   /* passages, ascending within a term */
    const float *weights;
    const int64_t *word_starts; /* of each word's candidates; one more at the end */
    const int32_t *word_terms;  /* of each candidate */
    const double *word_factors;
    const double *word_bounds;  /* of each word the greatest weight that it gives a passage */
} Field;

/* A word of a query; `order` is its place in it. */
typedef struct {
    double bound, factor;
    const Field *field;
    int64_t first, last, order;
} Group;

/* The postings of a candidate: from `start` to below `end` in its field. */
typedef struct {
    const int32_t *rows;
    const float *weights;
    int64_t start, end;
    double factor;
} Postings;

static Postings of_candidate(const Group *g, int64_t c) {
    const Field *f = g->field;
    Postings p = {
        f->rows, f->weights, f->starts[f->word_terms[c]], f->starts[f->word_terms[c] + 1], g->factor * f->word_factors[c]
    };
    return p;
}

/* The greatest first, equal ones in the order of the query. */
static int compared(const void *one, const void *other) {
    const Group *a = one, *b = other;
    if (a->bound != b->bound) return a->bound > b->bound ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void sort_groups(Group *groups, int64_t n) {
    if (n > 32) {
        qsort(groups, (size_t)n, sizeof(Group), compared);
        return;
    }
    for (int64_t i = 1; i < n; i++) {
        Group x = groups[i];
        int64_t j = i;
        for (; j > 0 && groups[j - 1].bound < x.bound; j--) groups[j] = groups[j - 1];
        groups[j] = x;
    }
}

/* Whether a group holds a passage, and the greatest of its weights there. */
static int looked_up(const Group *g, int32_t passage, double *value) {
    int found = 0;
    for (int64_t c = g->first; c < g->last; c++) {
        Postings p = of_candidate(g, c);
        int64_t low = p.start, high = p.end;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (p.rows[middle] < passage) low = middle + 1; else high = middle;
        }
        if (low < p.end && p.rows[low] == passage) {
            double weight = p.factor * (double)p.weights[low];
            if (!found || weight > *value) *value = weight;
            found = 1;
        }
    }
    return found;
}

/* The passages of a group of several candidates into `of_group`, the greatest weight of each into `best`; how many. */
static int64_t gathered(Scratch *s, const Group *g) {
    int64_t count = 0;
    for (int64_t c = g->first; c < g->last; c++) {
        Postings p = of_candidate(g, c);
        for (int64_t i = p.start; i < p.end; i++) {
            int32_t row = p.rows[i];
            double weight = p.factor * (double)p.weights[i];
            if (!s->in_best[row]) {
                s->in_best[row] = 1;
                s->of_group[count++] = row;
                s->best[row] = weight;
            } else if (weight > s->best[row]) s->best[row] = weight;
        }
    }
    for (int64_t i = 0; i < count; i++) s->in_best[s->of_group[i]] = 0;
    return count;
}

/* Adds a group to the sums of all passages that it holds; how many are touched then. */
static int64_t added(Scratch *s, const Group *g, int64_t touched) {
    if (g->last - g->first == 1) {
        Postings p = of_candidate(g, g->first);
        for (int64_t i = p.start; i < p.end; i++) {
            int32_t row = p.rows[i];
            s->touched[touched] = row;
            touched += !s->seen[row];
            s->seen[row] = 1;
            s->sums[row] += p.factor * (double)p.weights[i];
        }
        return touched;
    }
    int64_t count = gathered(s, g);
    for (int64_t i = 0; i < count; i++) {
        int32_t row = s->of_group[i];
        s->touched[touched] = row;
        touched += !s->seen[row];
        s->seen[row] = 1;
        s->sums[row] += s->best[row];
    }
    return touched;
}

static int64_t size_of(const Group *g) {
    int64_t size = 0;
    for (int64_t c = g->first; c < g->last; c++) {
        Postings p = of_candidate(g, c);
        size += p.end - p.start;
    }
    return size;
}

/* The k-th greatest sum of the passages touched, of which there are at least k; `heap` has room for k. */
static double kth(const Scratch *s, int64_t touched, int64_t k, double *heap) {
    for (int64_t i = 0; i < k; i++) heap[i] = s->sums[s->touched[i]];
    for (int64_t i = k / 2; i-- > 0;) sift_double(heap, i, k);
    for (int64_t i = k; i < touched; i++) {
        double sum = s->sums[s->touched[i]];
        if (sum > heap[0]) { heap[0] = sum; sift_double(heap, 0, k); }
    }
    return heap[0];
}

/* Adds a group to the sums of passages touched before; those in `list` are the ones that still matter. */
static void added_to_seen(Scratch *s, const Group *g, const int32_t *list, int64_t kept) {
    int64_t size = size_of(g), steps = 3;
    double value = 0.0;
    for (int64_t n = size; n > 1; n >>= 1) steps += 3;
    if (size < kept * steps) {
        if (g->last - g->first == 1) {
            Postings p = of_candidate(g, g->first);
            for (int64_t i = p.start; i < p.end; i++) {
                int32_t row = p.rows[i];
                s->sums[row] += p.factor * (double)p.weights[i] * s->seen[row];
            }
        } else {
            int64_t count = gathered(s, g);
            for (int64_t i = 0; i < count; i++) s->sums[s->of_group[i]] += s->best[s->of_group[i]] * s->seen[s->of_group[i]];
        }
        return;
    }
    for (int64_t i = 0; i < kept; i++)
        if (looked_up(g, list[i], &value)) s->sums[list[i]] += value;
}

/* The best k of the passages in the list, at most as many as there are, into `order`, the best first; how many. */
static int64_t best_of(Scratch *s, const int32_t *list, int64_t n, int64_t k, const int32_t *keys) {
    uint64_t *order = s->order;
    int64_t written = n < k ? n : k;
    int depth = 4;
    if (k <= FEW && n > k) {
        for (int64_t i = 0; i < k; i++) order[i] = ordered((float)s->sums[list[i]], keys[list[i]]);
        for (int64_t i = k / 2; i-- > 0;) sift(order, i, k);
        float least = score_of(order[0]);
        for (int64_t i = k; i < n; i++) {
            float score = (float)s->sums[list[i]];
            if (score < least) continue;
            uint64_t one = ordered(score, keys[list[i]]);
            if (one > order[0]) { order[0] = one; sift(order, 0, k); least = score_of(order[0]); }
        }
    } else {
        for (int64_t i = 0; i < n; i++) order[i] = ordered((float)s->sums[list[i]], keys[list[i]]);
        if (written < n) select_order(order, n, written - 1);
    }
    for (int64_t m = written; m > 1; m >>= 1) depth += 2;
    sort_order(order, written, depth);
    return written;
}

/* words: of each query, from of_query[q] to below of_query[q + 1], the number in its field. most: the most words of a
   query. prunable: no weight is negative. 1 if there is no memory, else 0. */
EXPORT int32_t latinsearch_top(
    Scratch *s, const Field *fields, const int32_t *keys, const int32_t *place_of_key, int64_t queries,
    const int64_t *of_query, const int32_t *of_field, const int32_t *words, const double *factors, int64_t most,
    int32_t prunable, int64_t k, int32_t *places, float *scores, int64_t *counts
) {
    Group *groups = malloc(((size_t)most + 1) * sizeof(Group));
    double *rest = malloc(((size_t)most + 1) * sizeof(double));
    if (!groups || !rest) {
        free(groups); free(rest);
        return 1;
    }
    for (int64_t q = 0; q < queries; q++) {
        int64_t n = of_query[q + 1] - of_query[q], group = 0, touched = 0, kept;
        const int32_t *list = s->touched;
        double least = -INFINITY;
        for (int64_t i = 0; i < n; i++) {
            int64_t at = of_query[q] + i;
            const Field *field = fields + of_field[at];
            Group g = {
                factors[at] * field->word_bounds[words[at]], factors[at], field,
                field->word_starts[words[at]], field->word_starts[words[at] + 1], i
            };
            groups[i] = g;
        }
        sort_groups(groups, n);
        rest[n] = 0.0; /* the greatest sum that the groups from each on can give */
        for (int64_t i = n; i-- > 0;) rest[i] = rest[i + 1] + (groups[i].bound > 0.0 ? groups[i].bound : 0.0);
        for (; group < n; group++) {
            if (rest[group] < least * MARGIN) break;
            touched = added(s, groups + group, touched);
            /* To know the least score costs as much as the passages touched; that must be worth it. */
            if (prunable && k <= FEW && group + 1 < n && touched >= k && rest[group + 1] < rest[0] - rest[group + 1]
                && size_of(groups + group + 1) > touched)
                least = kth(s, touched, k, s->copy);
        }
        kept = touched;
        if (group < n) {
            kept = 0;
            for (int64_t i = 0; i < touched; i++)
                if (s->sums[s->touched[i]] + rest[group] >= least * MARGIN) s->few[kept++] = s->touched[i];
            for (; group < n; group++) added_to_seen(s, groups + group, s->few, kept);
            list = s->few;
        }
        counts[q] = best_of(s, list, kept, k, keys);
        for (int64_t i = 0; i < counts[q]; i++) {
            places[q * k + i] = place_of_key[(uint32_t)s->order[i]];
            scores[q * k + i] = score_of(s->order[i]);
        }
        for (int64_t i = 0; i < touched; i++) { s->seen[s->touched[i]] = 0; s->sums[s->touched[i]] = 0.0; }
    }
    free(groups); free(rest);
    return 0;
}

// One anti-diagonal of an alignment of units, in a loop that compilers turn into vector instructions.
#pragma once

#include <cstdint>

// Where the loader can choose between two versions of a function, one of them for processors with AVX2.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define PARAKH_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define PARAKH_VECTOR_CLONES
#endif

namespace parakh {

// What it costs that one unit stands for another, by their kinds; kind 0 only stands for itself. `unit`: one error.
template <class Cost>
constexpr Cost change_cost(std::int32_t reference, std::int32_t hypothesis, Cost unit) {
    const Cost other = (reference == 0) | (hypothesis == 0) ? 2 * unit : unit + 2;
    return reference == hypothesis ? unit + 1 : other;
}

// Units of one side along an anti-diagonal; begin and end only where times count.
struct FrontUnits {
    const std::int32_t *key, *kind, *begin, *end;
};

template <class Cost>
struct Front {
    int count;
    Cost unit;
    Cost *cells;
    const Cost *above;   // on the anti-diagonal before, one row up; the neighbour on the left is the next one
    const Cost *corner;  // on the one before that, one row up
    FrontUnits reference, hypothesis;
    bool timed;
};

// Everything in local variables, and nothing read on a condition: compilers give up the vectors otherwise.
template <bool timed, class Cost>
[[gnu::always_inline]] inline void fill_cells(const Front<Cost> &front) {
    Cost *__restrict const cells = front.cells;
    const Cost *__restrict const above = front.above, *__restrict const corner = front.corner;
    const FrontUnits reference = front.reference, hypothesis = front.hypothesis;
    const Cost unit = front.unit;
    const int count = front.count;
    for (int k = 0; k < count; ++k) {
        const Cost change = change_cost(reference.kind[k], hypothesis.kind[k], unit);
        Cost step = reference.key[k] == hypothesis.key[k] ? 0 : change;
        if constexpr (timed) {
            const bool apart = (reference.begin[k] >= hypothesis.end[k]) | (hypothesis.begin[k] >= reference.end[k]);
            step = apart ? 2 * unit : step;
        }
        const Cost up = above[k] + unit, left = above[k + 1] + unit, diagonal = corner[k] + step;
        const Cost straight = up < left ? up : left;
        cells[k] = straight < diagonal ? straight : diagonal;
    }
}

PARAKH_VECTOR_CLONES static void fill_untimed(const Front<std::int32_t> &front) { fill_cells<false>(front); }
PARAKH_VECTOR_CLONES static void fill_timed(const Front<std::int32_t> &front) { fill_cells<true>(front); }
PARAKH_VECTOR_CLONES static void fill_untimed(const Front<std::int64_t> &front) { fill_cells<false>(front); }
PARAKH_VECTOR_CLONES static void fill_timed(const Front<std::int64_t> &front) { fill_cells<true>(front); }

template <class Cost>
void fill_front(const Front<Cost> &front) {
    front.timed ? fill_timed(front) : fill_untimed(front);
}

}  // namespace parakh

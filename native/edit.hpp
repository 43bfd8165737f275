// Edit distance between two streams of numbered words, 64 rows of the table at a time: G. Myers, "A fast bit-vector
// algorithm for approximate string matching", JACM 46(3), 1999, with the blocks of H. Hyyro, "A bit-vector algorithm for
// computing Levenshtein and Damerau edit distances", Nordic Journal of Computing 10, 2003.
//
// The reference runs down, the hypothesis across. Rows are worked off in groups of blocks, and of each group only the
// differences along its last row are kept: one byte per column. Walking back recomputes one group at a time, and only up
// to the column the walk has reached. Costs 1; among equally cheap predecessors: insertion, else deletion, else diagonal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace parakh {

constexpr int kNone = -1;

// One step of an alignment: an index on either side, kNone where there is no word.
struct Step {
    int reference, hypothesis;
};

struct Counts {
    int errors = 0, substitutions = 0;
};

class EditTable {
  public:
    using Words = std::vector<std::int32_t>;

    // Room for the rows of a group that hold each word; zeros between uses, so that the tables of a session share it.
    class Matches {
      public:
        // `vocabulary` is greater than every word number.
        explicit Matches(int vocabulary) : rows_(static_cast<std::size_t>(vocabulary) * kBlocks) {}
        std::uint64_t *of(std::int32_t word) { return &rows_[static_cast<std::size_t>(word) * kBlocks]; }

      private:
        std::vector<std::uint64_t> rows_;
    };

    EditTable(const Words &reference, const Words &hypothesis, Matches &matches)
        : reference_(reference), hypothesis_(hypothesis), matches_(matches), rows_(static_cast<int>(reference.size())),
          columns_(static_cast<int>(hypothesis.size())),
          border_(static_cast<std::size_t>((rows_ + kGroupRows - 1) / kGroupRows) * columns_) {}

    int errors() {
        if (rows_ == 0) return columns_;
        const auto nothing = [](int, int, std::uint64_t, std::uint64_t) {};
        int top = 0;
        for (; top + kGroupRows < rows_; top += kGroupRows) sweep(top, columns_, nothing);
        sweep(top, columns_, nothing);
        int sum = rows_;
        for (int column = 0; column < columns_; ++column) sum += slope(border(top)[column]);
        return sum;
    }

    // Calls step(Step) from the last to the first; errors() must have run.
    template <class Each>
    void walk_back(Each step) {
        int i = rows_, j = columns_;
        std::vector<Cells> cells;
        for (int top = (rows_ - 1) / kGroupRows * kGroupRows; i > 0; top -= kGroupRows) {
            cells.resize(static_cast<std::size_t>(j) * kBlocks);
            sweep(top, j, [&](int column, int block, std::uint64_t rises_right, std::uint64_t rises_down) {
                cells[static_cast<std::size_t>(column) * kBlocks + block] = {rises_right, rises_down};
            });
            while (i > top) {
                const int row = i - 1 - top;
                const Cells &at = j > 0 ? cells[static_cast<std::size_t>(j - 1) * kBlocks + row / 64] : kLeftEdge;
                const bool insertion = at.rises_right >> (row % 64) & 1, deletion = at.rises_down >> (row % 64) & 1;
                step(Step{insertion ? kNone : i - 1, !insertion && deletion ? kNone : j - 1});
                if (!insertion) --i;
                if (insertion || !deletion) --j;
            }
        }
        while (j > 0) step(Step{kNone, --j});
    }

    // How many steps of the walk put one word for another.
    int substitutions() {
        int count = 0;
        walk_back([&](const Step &step) {
            count += step.reference != kNone && step.hypothesis != kNone && reference_[step.reference] != hypothesis_[step.hypothesis];
        });
        return count;
    }

  private:
    static constexpr int kBlocks = 4, kGroupRows = 64 * kBlocks;

    // Of 64 cells below each other: whether each is one more than its left, and than its upper neighbour.
    struct Cells {
        std::uint64_t rises_right, rises_down;
    };
    static constexpr Cells kLeftEdge{0, ~std::uint64_t{0}};

    static int slope(std::uint8_t flags) { return (flags & 1) - (flags >> 1); }

    // Differences along the last row of the group that starts at row `top`: bit 0 rise, bit 1 fall.
    std::uint8_t *border(int top) { return &border_[static_cast<std::size_t>(top / kGroupRows) * columns_]; }

    // Works off the rows of one group over the first `columns` columns; calls note(column, block, rises right, rises down).
    template <class Note>
    void sweep(int top, int columns, Note note) {
        const int bottom = std::min(rows_, top + kGroupRows);
        for (int row = top; row < bottom; ++row) {
            matches_.of(reference_[row])[(row - top) / 64] |= std::uint64_t{1} << (row % 64);
        }
        switch ((bottom - top + 63) / 64) {
            case 1: sweep_blocks<1>(top, bottom, columns, note); break;
            case 2: sweep_blocks<2>(top, bottom, columns, note); break;
            case 3: sweep_blocks<3>(top, bottom, columns, note); break;
            default: sweep_blocks<4>(top, bottom, columns, note);
        }
        for (int row = top; row < bottom; ++row) std::fill_n(matches_.of(reference_[row]), kBlocks, 0);
    }

    template <int blocks, class Note>
    void sweep_blocks(int top, int bottom, int columns, Note note) {
        std::uint64_t rises_down[blocks], falls_down[blocks] = {};
        std::fill_n(rises_down, blocks, ~std::uint64_t{0});
        const std::uint8_t *above = top > 0 ? border(top - kGroupRows) : nullptr;
        std::uint8_t *below = columns_ > 0 ? border(top) : nullptr;
        const int last = (bottom - 1 - top) % 64;
        for (int column = 0; column < columns; ++column) {
            const std::uint64_t *match = matches_.of(hypothesis_[column]);
            std::uint64_t rise = above ? above[column] & 1 : 1, fall = above ? above[column] >> 1 : 0;
            for (int block = 0; block < blocks; ++block) {
                const std::uint64_t up = rises_down[block], down = falls_down[block];
                const std::uint64_t vertical = match[block] | down, equal = match[block] | fall;
                const std::uint64_t horizontal = (((equal & up) + up) ^ up) | equal;
                const std::uint64_t right = down | ~(horizontal | up), left = up & horizontal;
                const std::uint64_t right_above = right << 1 | rise, left_above = left << 1 | fall;
                rises_down[block] = left_above | ~(vertical | right_above);
                falls_down[block] = right_above & vertical;
                note(column, block, right, rises_down[block]);
                const int out = block + 1 < blocks ? 63 : last;
                rise = right >> out & 1;
                fall = left >> out & 1;
            }
            below[column] = static_cast<std::uint8_t>(rise | fall << 1);
        }
    }

    const Words &reference_, &hypothesis_;
    Matches &matches_;
    const int rows_, columns_;
    std::vector<std::uint8_t> border_;
};

}  // namespace parakh

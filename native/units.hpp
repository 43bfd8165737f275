// The cheapest alignment of two streams of units in which runs of units may also meet as a whole: the string-to-string
// correction of R. A. Wagner and M. J. Fischer, JACM 21(1), 1974, with block steps beside its four.
//
// Costs are pairs (errors, effort), compared in this order and packed in one number. The table is swept by anti-diagonals,
// whose cells do not depend on each other. A block step is sparse: when its first cell is known, its offer is put down for
// the anti-diagonal of its last cell. Which spans meet is enumerated by a calendar in which each reference span waits for
// the next hypothesis span of its key, so that memory never grows with the number of meetings. Walking back sweeps again
// from marks kept on the way, within the rectangle left of and above the cell reached, until a stretch of the table fits in
// memory (after J. A. Grice, R. Hughey and D. Speck, "Reduced space sequence alignment", CABIOS 13(1), 1997).
//
// Among equally cheap predecessors: match, else block step (blocks before spans, then the lowest rows), else substitution,
// deletion, insertion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "units_sweep.hpp"

namespace parakh {

template <class Cost>
class UnitAlignment {
  public:
    // `most_cells`: of a table that is kept whole.
    UnitAlignment(const UnitStreams &streams, std::size_t most_cells) : streams_(streams), order_(streams), most_cells_(most_cells) {}

    std::vector<UnitStep> steps() {
        trace({}, {streams_.rows(), streams_.columns()});
        std::reverse(steps_.begin(), steps_.end());
        return std::move(steps_);
    }

  private:
    static constexpr int kMarks = 32;

    // Walks back from `end`, and returns the first cell reached that is not after the mark.
    Corner trace(const Mark<Cost> &from, Corner end) {
        if (end.diagonal() - from.diagonal <= kMarks || Sweep<Cost>::cells(from.diagonal, end) <= most_cells_) {
            Sweep<Cost> sweep(streams_, order_, from, end, true);
            sweep.run([](int) {});
            return sweep.walk_back(steps_);
        }
        for (std::vector<Mark<Cost>> marks = set_marks(from, end); !marks.empty(); marks.pop_back()) {
            if (end.diagonal() > marks.back().diagonal) end = trace(marks.back(), end);
        }
        return end.diagonal() > from.diagonal ? trace(from, end) : end;
    }

    // Marks at equal distances; fewer where many steps are under way.
    std::vector<Mark<Cost>> set_marks(const Mark<Cost> &from, Corner end) {
        std::vector<Mark<Cost>> marks;
        const std::size_t most_offers = std::size_t{16} * (streams_.rows() + streams_.columns());
        std::size_t offers = 0;
        int distance = (end.diagonal() - from.diagonal + kMarks - 1) / kMarks;
        Sweep<Cost> sweep(streams_, order_, from, end, false);
        sweep.run([&](int diagonal) {
            if ((diagonal - from.diagonal) % distance != 0 || diagonal == end.diagonal()) return;
            marks.push_back(sweep.mark(diagonal));
            offers += marks.back().offers.size();
            if (offers <= most_offers || marks.size() < 2) return;
            offers = 0;
            for (std::size_t k = 1; k < marks.size(); k += 2) {
                offers += marks[k].offers.size();
                marks[k / 2] = std::move(marks[k]);
            }
            marks.resize(marks.size() / 2);
            distance *= 2;
        });
        return marks;
    }

    const UnitStreams &streams_;
    const MeetingOrder order_;
    const std::size_t most_cells_;
    std::vector<UnitStep> steps_;
};

inline std::vector<UnitStep> align(const UnitStreams &streams, std::size_t most_cells) {
    const std::int64_t size = std::int64_t{4} + streams.rows() + streams.columns();
    if (size * size <= std::numeric_limits<std::int32_t>::max()) return UnitAlignment<std::int32_t>(streams, most_cells).steps();
    return UnitAlignment<std::int64_t>(streams, most_cells).steps();
}

}  // namespace parakh

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
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "units_front.hpp"

namespace parakh {

// Reference units [i0, i1) meet hypothesis units [j0, j1).
struct Box {
    std::int32_t i0, i1, j0, j1;
};

struct Block {
    Box box;
    std::int32_t cost;
};

struct Span {
    std::int32_t start, stop, key, cost;
};

// One step of an alignment: the rows of the spans or of the block that license it, -1 where there is none.
struct UnitStep {
    Box box;
    std::int32_t a, b;
};

// Units of one side. Those of the hypothesis stand from last to first, so that an anti-diagonal reads both sides forwards.
struct UnitSide {
    std::vector<std::int32_t> key, kind, begin, end;  // begin and end: ranks among the times of both sides, if there are any
    std::vector<Span> spans;

    FrontUnits from(int k) const { return {key.data() + k, kind.data() + k, begin.empty() ? nullptr : &begin[k], end.empty() ? nullptr : &end[k]}; }
};

struct UnitStreams {
    UnitSide reference, hypothesis;
    std::vector<Block> blocks;
    bool timed;

    int rows() const { return static_cast<int>(reference.key.size()); }
    int columns() const { return static_cast<int>(hypothesis.key.size()); }

    // Whether the units overlap in time, from the first begin to the last end; an empty side meets anything.
    bool may_meet(const Box &box) const {
        if (!timed || box.i0 == box.i1 || box.j0 == box.j1) return true;
        return reference.begin[box.i0] < hypothesis.end[columns() - box.j1] &&
               hypothesis.begin[columns() - 1 - box.j0] < reference.end[box.i1 - 1];
    }

    Box box(std::int32_t a, std::int32_t b) const {
        if (a < 0) return blocks[b].box;
        return {reference.spans[a].start, reference.spans[a].stop, hypothesis.spans[b].start, hypothesis.spans[b].stop};
    }
};

// A reference span, and the stretch of `MeetingOrder::partners` that has its key: by start, from `at` on not met yet.
struct Meeting {
    std::int32_t row, start, at, last, next;
};

// Rows of spans and blocks in the order in which a sweep comes to them.
struct MeetingOrder {
    std::vector<std::int32_t> partners, blocks;
    std::vector<Meeting> meetings;

    explicit MeetingOrder(const UnitStreams &streams) : partners(by_key(streams.hypothesis.spans)) {
        const auto &spans = streams.hypothesis.spans;
        std::int32_t first = 0, last = 0;
        for (const std::int32_t row : by_key(streams.reference.spans)) {
            const Span &span = streams.reference.spans[row];
            const auto count = static_cast<std::int32_t>(partners.size());
            while (first < count && spans[partners[first]].key < span.key) ++first;
            last = std::max(last, first);
            while (last < count && spans[partners[last]].key == span.key) ++last;
            if (first < last) meetings.push_back({row, span.start, first, last, kNobody});
        }
        for (std::size_t row = 0; row < streams.blocks.size(); ++row) blocks.push_back(static_cast<std::int32_t>(row));
        const auto diagonal = [&](std::int32_t row) { return streams.blocks[row].box.i0 + streams.blocks[row].box.j0; };
        std::stable_sort(blocks.begin(), blocks.end(), [&](auto one, auto two) { return diagonal(one) < diagonal(two); });
    }

    static constexpr std::int32_t kNobody = -1;

  private:
    // Rows by key and start; of spans of the same key and units only the cheapest.
    static std::vector<std::int32_t> by_key(const std::vector<Span> &spans) {
        std::vector<std::int32_t> rows(spans.size());
        for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<std::int32_t>(row);
        const auto place = [&](std::int32_t row) { return std::make_tuple(spans[row].key, spans[row].start, spans[row].stop); };
        std::sort(rows.begin(), rows.end(), [&](std::int32_t one, std::int32_t two) {
            return std::make_tuple(place(one), spans[one].cost, one) < std::make_tuple(place(two), spans[two].cost, two);
        });
        rows.erase(std::unique(rows.begin(), rows.end(), [&](auto one, auto two) { return place(one) == place(two); }), rows.end());
        return rows;
    }
};

// Offered to the cell in row `row` of some anti-diagonal by the step that spans a and b, or block b, license.
template <class Cost>
struct Offer {
    Cost cost;
    std::int32_t row, a, b, next;
};

// All that the anti-diagonals after `diagonal` depend on.
template <class Cost>
struct Mark {
    int diagonal = -1;
    int low[2] = {0, 0};          // first rows of the two last anti-diagonals,
    std::vector<Cost> front[2];   // and their cells
    std::vector<Offer<Cost>> offers;
};

struct Corner {
    int i, j;
    int diagonal() const { return i + j; }
};

// The anti-diagonals after a mark, of the rectangle from the origin to `end`.
template <class Cost>
class Sweep {
  public:
    // Keeps every cell, to walk back over, or only the three last anti-diagonals.
    Sweep(const UnitStreams &streams, const MeetingOrder &order, const Mark<Cost> &from, Corner end, bool keep)
        : streams_(streams), order_(order), unit_(Cost{1} + streams.rows() + streams.columns()), from_(from.diagonal), end_(end),
          keep_(keep), stride_(stride(from.diagonal, end)), cells_(new Cost[stride_ * (keep ? span(from.diagonal, end) : 3)]) {
        for (int k = 0; k < 2; ++k) {
            const int diagonal = from_ - k;
            for (int row = low(diagonal); row <= high(diagonal); ++row) cell(diagonal, row) = from.front[k][row - from.low[k]];
        }
        const bool sparse = !order.meetings.empty() || !order.blocks.empty();
        offered_.assign(sparse ? end.diagonal() - from_ : 0, kNobody);
        for (const Offer<Cost> &offer : from.offers) put(streams.box(offer.a, offer.b), offer.cost, offer.a, offer.b);
        if (!order.meetings.empty()) open_calendar();
        while (block_ < order.blocks.size() && origin(block_) <= from_) ++block_;
    }

    static std::size_t cells(int from, Corner end) { return stride(from, end) * span(from, end); }

    // Calls each(diagonal) after each anti-diagonal.
    template <class Each>
    void run(Each each) {
        for (int diagonal = from_ + 1; diagonal <= end_.diagonal(); ++diagonal) {
            fill(diagonal);
            if (!offered_.empty()) take_offers(diagonal);
            if (!calendar_.empty()) start_meetings(diagonal);
            for (; block_ < order_.blocks.size() && origin(block_) == diagonal; ++block_) start_block(order_.blocks[block_]);
            each(diagonal);
        }
    }

    Mark<Cost> mark(int diagonal) {
        Mark<Cost> mark;
        mark.diagonal = diagonal;
        for (int k = 0; k < 2; ++k) {
            const int first = low(diagonal - k), count = std::max(0, high(diagonal - k) - first + 1);
            mark.low[k] = first;
            mark.front[k].assign(front(diagonal - k), front(diagonal - k) + count);
        }
        for (std::size_t slot = diagonal - from_; slot < offered_.size(); ++slot) {
            for (auto k = offered_[slot]; k != kNobody; k = offers_[k].next) mark.offers.push_back(offers_[k]);
        }
        return mark;
    }

    // Appends the steps from `end` back to the first cell not after the mark, and returns that cell.
    Corner walk_back(std::vector<UnitStep> &steps) {
        Corner at = end_;
        while (at.diagonal() > from_ && at.diagonal() > 0) {
            steps.push_back(last_step(at));
            at = {steps.back().box.i0, steps.back().box.j0};
        }
        return at;
    }

  private:
    static constexpr std::int32_t kNobody = MeetingOrder::kNobody;

    static std::size_t span(int from, Corner end) { return end.diagonal() - from + 2; }
    static std::size_t stride(int from, Corner end) { return std::min({end.i, end.j, end.diagonal() - from + 1}) + 1; }

    // Rows of an anti-diagonal.
    int low(int diagonal) const { return std::max(0, diagonal - end_.j); }
    int high(int diagonal) const { return std::min(end_.i, diagonal); }

    Cost *front(int diagonal) {
        const std::size_t slot = diagonal - from_ + 1;
        return &cells_[stride_ * (keep_ ? slot : slot % 3)];
    }
    Cost &cell(int diagonal, int row) { return front(diagonal)[row - low(diagonal)]; }

    void fill(int diagonal) {
        if (diagonal == 0) {
            cell(0, 0) = 0;
            return;
        }
        if (low(diagonal) == 0) cell(diagonal, 0) = cell(diagonal - 1, 0) + unit_;
        if (high(diagonal) == diagonal) cell(diagonal, diagonal) = cell(diagonal - 1, diagonal - 1) + unit_;
        const int first = std::max(1, low(diagonal)), count = std::min(end_.i, diagonal - 1) - first + 1;
        if (count <= 0) return;
        const int i = first - 1, j = streams_.columns() - diagonal + first;
        fill_front(Front<Cost>{count, unit_, &cell(diagonal, first), &cell(diagonal - 1, first - 1), &cell(diagonal - 2, first - 1),
                               streams_.reference.from(i), streams_.hypothesis.from(j), streams_.timed});
    }

    // The anti-diagonal at which the k-th block in order starts.
    int origin(std::size_t k) const {
        const Box &box = streams_.blocks[order_.blocks[k]].box;
        return box.i0 + box.j0;
    }

    void take_offers(int diagonal) {
        Cost *const cells = front(diagonal);
        const int low = this->low(diagonal);
        std::int32_t &first = offered_[diagonal - from_ - 1];
        for (auto k = first; k != kNobody;) {
            Offer<Cost> &offer = offers_[k];
            cells[offer.row - low] = std::min(cells[offer.row - low], offer.cost);
            const auto next = offer.next;
            if (!keep_) offer.next = free_, free_ = k;
            k = next;
        }
        if (!keep_) first = kNobody;
    }

    void put(const Box &box, Cost cost, std::int32_t a, std::int32_t b) {
        if (box.i1 > end_.i || box.j1 > end_.j) return;
        std::int32_t k = free_;
        if (k == kNobody) {
            k = static_cast<std::int32_t>(offers_.size());
            offers_.emplace_back();
        } else {
            free_ = offers_[k].next;
        }
        std::int32_t &first = offered_[box.i1 + box.j1 - from_ - 1];
        offers_[k] = {cost, box.i1, a, b, first};
        first = k;
    }

    // From a cell that is known. A step that costs as much as to delete and insert its units is never the cheapest.
    void offer(const Box &box, std::int64_t errors, std::int32_t a, std::int32_t b) {
        if (errors >= std::int64_t{box.i1} - box.i0 + box.j1 - box.j0 || !streams_.may_meet(box)) return;
        put(box, cell(box.i0 + box.j0, box.i0) + static_cast<Cost>(errors) * unit_ + 1, a, b);
    }

    void start_block(std::int32_t row) {
        const Block &block = streams_.blocks[row];
        if (block.box.i0 <= end_.i && block.box.j0 <= end_.j) offer(block.box, block.cost, kNobody, row);
    }

    void open_calendar() {
        const auto &spans = streams_.hypothesis.spans;
        calendar_.assign(end_.diagonal() - from_, kNobody);
        for (Meeting meeting : order_.meetings) {
            if (meeting.start > end_.i) continue;
            const auto known = [&](std::int32_t row, int start) { return spans[row].start < start; };
            const auto first = order_.partners.begin();
            const auto at = std::lower_bound(first + meeting.at, first + meeting.last, from_ + 1 - meeting.start, known);
            meeting.at = static_cast<std::int32_t>(at - first);
            meetings_.push_back(meeting);
            wait(static_cast<std::int32_t>(meetings_.size()) - 1);
        }
    }

    void wait(std::int32_t k) {
        Meeting &meeting = meetings_[k];
        if (meeting.at == meeting.last) return;
        const int column = streams_.hypothesis.spans[order_.partners[meeting.at]].start;
        if (column > end_.j) return;
        std::int32_t &first = calendar_[meeting.start + column - from_ - 1];
        meeting.next = first;
        first = k;
    }

    void start_meetings(int diagonal) {
        for (auto k = calendar_[diagonal - from_ - 1]; k != kNobody;) {
            Meeting &meeting = meetings_[k];
            const auto next = meeting.next;
            const Span &one = streams_.reference.spans[meeting.row];
            for (; meeting.at < meeting.last; ++meeting.at) {
                const std::int32_t row = order_.partners[meeting.at];
                const Span &two = streams_.hypothesis.spans[row];
                if (one.start + two.start != diagonal) break;
                offer({one.start, one.stop, two.start, two.stop}, std::int64_t{one.cost} + two.cost, meeting.row, row);
            }
            wait(k);
            k = next;
        }
    }

    UnitStep last_step(Corner at) {
        const int i = at.i, j = at.j, diagonal = at.diagonal();
        const Cost cost = cell(diagonal, i);
        Cost change = 0;
        bool diagonally = i > 0 && j > 0 && streams_.may_meet({i - 1, i, j - 1, j});
        if (diagonally) {
            const int column = streams_.columns() - j;
            const bool same = streams_.reference.key[i - 1] == streams_.hypothesis.key[column];
            change = same ? 0 : change_cost(streams_.reference.kind[i - 1], streams_.hypothesis.kind[column], unit_);
            diagonally = change < 2 * unit_ && cell(diagonal - 2, i - 1) + change == cost;
        }
        const UnitStep plain{{i - 1, i, j - 1, j}, kNobody, kNobody};
        if (diagonally && change == 0) return plain;
        const Offer<Cost> *best = nullptr;
        for (auto k = offered_.empty() ? kNobody : offered_[diagonal - from_ - 1]; k != kNobody; k = offers_[k].next) {
            const Offer<Cost> &offer = offers_[k];
            if (offer.row != i || offer.cost != cost) continue;
            if (!best || offer.a < best->a || (offer.a == best->a && offer.b < best->b)) best = &offer;
        }
        if (best) return {streams_.box(best->a, best->b), best->a, best->b};
        if (diagonally) return plain;
        if (i > 0 && cell(diagonal - 1, i - 1) + unit_ == cost) return {{i - 1, i, j, j}, kNobody, kNobody};
        return {{i, i, j - 1, j}, kNobody, kNobody};
    }

    const UnitStreams &streams_;
    const MeetingOrder &order_;
    const Cost unit_;  // one error: more than the effort of any path
    const int from_;
    const Corner end_;
    const bool keep_;
    const std::size_t stride_;
    const std::unique_ptr<Cost[]> cells_;
    std::vector<std::int32_t> offered_, calendar_;  // by anti-diagonal: the first of its offers, of the meetings that start
    std::vector<Offer<Cost>> offers_;
    std::vector<Meeting> meetings_;
    std::int32_t free_ = kNobody;
    std::size_t block_ = 0;
};

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

// The anti-diagonals of an alignment of units one after the other, from a mark to a corner, and the way back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "units_streams.hpp"

namespace parakh {

// Offered to the cell in row `row` of some anti-diagonal by the step that spans a and b, or block b, license.
template <class Cost>
struct Offer {
    Cost cost;
    std::int32_t row, a, b;
};

// All that the anti-diagonals after `diagonal` depend on.
template <class Cost>
struct Mark {
    int diagonal = -1;
    int low[2] = {0, 0};         // first rows of the two last anti-diagonals,
    std::vector<Cost> front[2];  // and their cells
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
        if (!order.meetings.empty() || !order.blocks.empty()) offers_.open(from_, end.diagonal());
        for (const Offer<Cost> &offer : from.offers) put(streams.box(offer.a, offer.b), offer.cost, offer.a, offer.b);
        if (!order.meetings.empty()) await_meetings();
        while (block_ < order.blocks.size() && origin(block_) <= from_) ++block_;
    }

    static std::size_t cells(int from, Corner end) { return stride(from, end) * span(from, end); }

    // Calls each(diagonal) after each anti-diagonal.
    template <class Each>
    void run(Each each) {
        for (int diagonal = from_ + 1; diagonal <= end_.diagonal(); ++diagonal) {
            fill(diagonal);
            if (offers_.is_open()) take_offers(diagonal);
            if (waiting_.is_open()) start_meetings(diagonal);
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
        for (int later = diagonal + 1; offers_.is_open() && later <= end_.diagonal(); ++later) {
            offers_.visit(later, [&](const Offer<Cost> &offer) { mark.offers.push_back(offer); });
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
    static constexpr std::int32_t kNobody = -1;

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
        const auto accept = [&](const Offer<Cost> &offer) { cells[offer.row - low] = std::min(cells[offer.row - low], offer.cost); };
        keep_ ? offers_.visit(diagonal, accept) : offers_.take(diagonal, accept);
    }

    void put(const Box &box, Cost cost, std::int32_t a, std::int32_t b) {
        if (box.i1 <= end_.i && box.j1 <= end_.j) offers_.add(box.i1 + box.j1, {cost, box.i1, a, b});
    }

    // From a cell of which the cost is known. A step as dear as to delete and insert its units is never the cheapest.
    void offer(const Box &box, Cost before, std::int64_t errors, std::int32_t a, std::int32_t b) {
        const int units = box.i1 - box.i0 + box.j1 - box.j0;
        if (errors < units && streams_.may_meet(box)) put(box, before + static_cast<Cost>(errors) * unit_ + 1, a, b);
    }

    void start_block(std::int32_t row) {
        const Box &box = streams_.blocks[row].box;
        if (box.i0 <= end_.i && box.j0 <= end_.j) offer(box, cell(box.i0 + box.j0, box.i0), streams_.blocks[row].cost, kNobody, row);
    }

    // Each reference span for the next hypothesis span after the mark.
    void await_meetings() {
        waiting_.open(from_, end_.diagonal());
        const auto first = order_.partners.begin();
        for (Meeting meeting : order_.meetings) {
            if (meeting.span.start > end_.i) continue;
            const auto known = [&](const Span &partner, int start) { return partner.start < start; };
            const auto at = std::lower_bound(first + meeting.at, first + meeting.last, from_ + 1 - meeting.span.start, known);
            meeting.at = static_cast<std::int32_t>(at - first);
            meetings_.push_back(meeting);
            await(static_cast<std::int32_t>(meetings_.size()) - 1);
        }
    }

    void await(std::int32_t number) {
        const Meeting &meeting = meetings_[number];
        if (meeting.at == meeting.last) return;
        const int column = order_.partners[meeting.at].start;
        if (column <= end_.j) waiting_.add(meeting.span.start + column, number);
    }

    void start_meetings(int diagonal) {
        const Cost *const cells = front(diagonal);
        const int low = this->low(diagonal);
        waiting_.take(diagonal, [&](std::int32_t number) {
            Meeting &meeting = meetings_[number];
            const Span &one = meeting.span;
            for (; meeting.at < meeting.last; ++meeting.at) {
                const Span &two = order_.partners[meeting.at];
                if (one.start + two.start != diagonal) break;
                const std::int64_t errors = std::int64_t{one.cost} + two.cost;
                offer({one.start, one.stop, two.start, two.stop}, cells[one.start - low], errors, one.row, two.row);
            }
            await(number);
        });
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
        if (offers_.is_open()) {
            offers_.visit(diagonal, [&](const Offer<Cost> &offer) {
                if (offer.row != i || offer.cost != cost) return;
                if (!best || std::make_pair(offer.a, offer.b) < std::make_pair(best->a, best->b)) best = &offer;
            });
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
    Calendar<Offer<Cost>> offers_;    // for the last cell of a step
    Calendar<std::int32_t> waiting_;  // numbers of meetings, for the first cell of a step
    std::vector<Meeting> meetings_;
    std::size_t block_ = 0;
};

}  // namespace parakh

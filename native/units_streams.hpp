// What an alignment of units reads, and the order in which its block steps start.
#pragma once

#include <algorithm>
#include <cstdint>
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
    std::int32_t start, stop, key, cost, row;
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
    Span span;
    std::int32_t at, last;
};

// Spans and blocks in the order in which a sweep comes to them.
struct MeetingOrder {
    std::vector<Span> partners;  // of the hypothesis
    std::vector<Meeting> meetings;
    std::vector<std::int32_t> blocks;

    explicit MeetingOrder(const UnitStreams &streams) : partners(by_key(streams.hypothesis.spans)) {
        const auto count = static_cast<std::int32_t>(partners.size());
        std::int32_t first = 0, last = 0;
        for (const Span &span : by_key(streams.reference.spans)) {
            while (first < count && partners[first].key < span.key) ++first;
            last = std::max(last, first);
            while (last < count && partners[last].key == span.key) ++last;
            if (first < last) meetings.push_back({span, first, last});
        }
        for (std::size_t row = 0; row < streams.blocks.size(); ++row) blocks.push_back(static_cast<std::int32_t>(row));
        const auto diagonal = [&](std::int32_t row) { return streams.blocks[row].box.i0 + streams.blocks[row].box.j0; };
        std::stable_sort(blocks.begin(), blocks.end(), [&](auto one, auto two) { return diagonal(one) < diagonal(two); });
    }

  private:
    // By key and start; of spans of the same key and units only the cheapest.
    static std::vector<Span> by_key(std::vector<Span> spans) {
        const auto place = [](const Span &span) { return std::make_tuple(span.key, span.start, span.stop); };
        std::sort(spans.begin(), spans.end(), [&](const Span &one, const Span &two) {
            return std::make_tuple(place(one), one.cost, one.row) < std::make_tuple(place(two), two.cost, two.row);
        });
        const auto same = [&](const Span &one, const Span &two) { return place(one) == place(two); };
        spans.erase(std::unique(spans.begin(), spans.end(), same), spans.end());
        return spans;
    }
};

// Things put down for anti-diagonals that are still to come, in lists that share their room.
template <class Thing>
class Calendar {
  public:
    // For anti-diagonals after `first`, up to `last`.
    void open(int first, int last) {
        first_ = first + 1;
        days_.assign(last - first, kNone);
    }
    bool is_open() const { return !days_.empty(); }

    void add(int diagonal, const Thing &thing) {
        std::int32_t place = free_;
        if (place == kNone) {
            place = static_cast<std::int32_t>(entries_.size());
            entries_.emplace_back();
        } else {
            free_ = entries_[place].next;
        }
        entries_[place] = {thing, days_[diagonal - first_]};
        days_[diagonal - first_] = place;
    }

    // Calls each(thing) for those of an anti-diagonal, the last first.
    template <class Each>
    void visit(int diagonal, Each each) const {
        for (std::int32_t place = days_[diagonal - first_]; place != kNone; place = entries_[place].next) each(entries_[place].thing);
    }

    // The same, and forgets each before it is visited, so that the visitor may put it down again.
    template <class Each>
    void take(int diagonal, Each each) {
        std::int32_t place = std::exchange(days_[diagonal - first_], kNone);
        while (place != kNone) {
            const Thing thing = entries_[place].thing;
            const std::int32_t next = std::exchange(entries_[place].next, free_);
            free_ = place;
            each(thing);
            place = next;
        }
    }

  private:
    static constexpr std::int32_t kNone = -1;
    struct Entry {
        Thing thing;
        std::int32_t next;
    };
    int first_ = 0;
    std::int32_t free_ = kNone;
    std::vector<std::int32_t> days_;  // the last entry of each
    std::vector<Entry> entries_;
};

}  // namespace parakh

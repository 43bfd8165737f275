// The search for the best combination: from utterance to utterance, every tuple of positions in the streams that could
// still be on a best way.
//
// A tuple whose errors so far and the floor under what remains exceed a limit is dropped. The limit starts at the floor
// under all and is raised until a way through is found, which then is the best: no way with as few errors was dropped.
// Inserted words are counted as late as possible, so that one tuple stands for all ways that differ only in when they are
// counted; where `g` is the cost of the tuples kept, that of any tuple y is the least of g(z) + |y - z| over z <= y.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "orc.hpp"
#include "orc_floor.hpp"

namespace parakh::orc {

// Tuples of positions, one a stream, each with its errors so far.
class Tuples {
  public:
    explicit Tuples(int streams) : streams_(streams), slots_(64, kEmpty) {}

    int size() const { return static_cast<int>(errors_.size()); }
    const std::int32_t *position(int index) const { return &position_[static_cast<std::size_t>(index) * streams_]; }
    int errors(int index) const { return errors_[index]; }

    // Keeps the least errors of a tuple.
    void offer(const std::int32_t *position, int errors) {
        const std::size_t slot = find(position);
        if (slots_[slot] != kEmpty) {
            errors_[slots_[slot]] = std::min(errors_[slots_[slot]], errors);
            return;
        }
        slots_[slot] = size();
        position_.insert(position_.end(), position, position + streams_);
        errors_.push_back(errors);
        if (errors_.size() * 2 > slots_.size()) index(slots_.size() * 2);
    }

    // Drops every tuple that another one stands for, one word behind it in one stream. Nothing is offered after it.
    void settle() {
        std::vector<int> kept;
        std::vector<std::int32_t> before(streams_);
        for (int one = 0; one < size(); ++one) {
            if (!stood_for(one, before)) kept.push_back(one);
        }
        for (std::size_t to = 0; to < kept.size(); ++to) {
            std::copy_n(position(kept[to]), streams_, position_.begin() + static_cast<std::ptrdiff_t>(to * streams_));
            errors_[to] = errors_[kept[to]];
        }
        errors_.resize(kept.size());
        errors_.shrink_to_fit();
        position_.resize(kept.size() * streams_);
        position_.shrink_to_fit();
        slots_ = {};
    }

    std::size_t bytes() const { return (position_.size() + errors_.size()) * sizeof(std::int32_t); }

  private:
    static constexpr std::int32_t kEmpty = -1;

    std::size_t find(const std::int32_t *position) const {
        std::uint64_t hash = 0;
        for (int k = 0; k < streams_; ++k) hash = (hash ^ static_cast<std::uint32_t>(position[k])) * 0x9E3779B97F4A7C15u, hash ^= hash >> 32;
        std::size_t slot = hash & (slots_.size() - 1);
        while (slots_[slot] != kEmpty && !std::equal(position, position + streams_, this->position(slots_[slot]))) {
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return slot;
    }

    void index(std::size_t slots) {
        slots_.assign(slots, kEmpty);
        for (int one = 0; one < size(); ++one) slots_[find(position(one))] = one;
    }

    bool stood_for(int one, std::vector<std::int32_t> &before) const {
        std::copy_n(position(one), streams_, before.begin());
        for (int k = 0; k < streams_; ++k) {
            --before[k];
            const std::int32_t other = slots_[find(before.data())];
            if (other != kEmpty && errors_[other] < errors_[one]) return true;
            ++before[k];
        }
        return false;
    }

    int streams_;
    std::vector<std::int32_t> position_, errors_, slots_;
};

// More tuples than there is room for.
struct TooMany : std::overflow_error {
    using std::overflow_error::overflow_error;
};

class Search {
  public:
    Search(const Session &session, const Floor &floor)
        : session_(session), floor_(floor), near_(session.stream_count()), far_(session.stream_count()) {}

    // The tuples before every utterance and after the last, among them all of every best way.
    std::vector<Tuples> run() {
        limit_ = whole(floor_.total());
        for (int raise = 4;; ++raise) {
            std::vector<Tuples> places;
            if (walk(places)) return places;
            limit_ = std::max(limit_ + raise / 4 * kUnit, whole(lowest_dropped_));
        }
    }

  private:
    static constexpr std::size_t kRoom = std::size_t{96} << 20;  // bytes
    static constexpr std::size_t kTries = 2'000'000;             // tuples kept, under all limits together
    static constexpr int kMany = 1 << 27;                        // more errors than any session has

    // A floor under what a stream pays, by position.
    struct Row {
        Window window{0, 0};
        std::vector<int> cost;
        void read(const Floor &floor, int u, int k, Window positions) {
            window = positions;
            floor.ahead(u, k, window, cost);
        }
        int at(int position) const { return cost[position - window.first]; }
    };

    // Rounded up to whole errors.
    static int whole(int cost) { return (cost + kUnit - 1) / kUnit * kUnit; }

    bool walk(std::vector<Tuples> &places) {
        lowest_dropped_ = kMany;
        start(places);
        std::size_t bytes = 0;
        for (int u = 0; u < session_.utterance_count(); ++u) {
            for (int k = 0; k < session_.stream_count(); ++k) {
                near_[k].read(floor_, u, k, session_.stand(u, k));
                far_[k].read(floor_, u + 1, k, session_.window(u, k));
            }
            Tuples next(session_.stream_count());
            for (const int k : session_.open(u)) take(u, k, places.back(), next, bytes);
            next.settle();
            if (next.size() == 0) return false;
            bytes += next.bytes();
            tries_ += static_cast<std::size_t>(next.size());
            places.push_back(std::move(next));
        }
        return true;
    }

    void start(std::vector<Tuples> &places) {
        std::vector<std::int32_t> position;
        int errors = 0;
        for (int k = 0; k < session_.stream_count(); ++k) {
            position.push_back(session_.stand(0, k).first);
            errors += position.back();
        }
        places.emplace_back(session_.stream_count()).offer(position.data(), errors);
    }

    // Gives utterance u to stream k from every tuple from which that may pay. Tuples that differ in stream k alone go on
    // together.
    void take(int u, int k, const Tuples &from, Tuples &next, std::size_t bytes) {
        std::vector<int> chosen;
        std::vector<int> others;  // what the other streams pay at least from the next utterance on, of each chosen tuple
        for (int one = 0; one < from.size(); ++one) {
            const std::int32_t *at = from.position(one);
            int rest = floor_.prices_from(u + 1);
            for (int other = 0; other < session_.stream_count(); ++other) {
                if (other != k) rest += far_[other].at(at[other]);
            }
            const int least = kUnit * from.errors(one) + rest + near_[k].at(at[k]) + floor_.price(u);
            if (fits(least)) chosen.push_back(one), others.push_back(rest);
        }
        std::vector<int> order(chosen.size());
        std::iota(order.begin(), order.end(), 0);
        const auto compare = [&](int a, int b) { return differ(from.position(chosen[a]), from.position(chosen[b]), k); };
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            const int difference = compare(a, b);
            return difference != 0 ? difference < 0 : from.position(chosen[a])[k] < from.position(chosen[b])[k];
        });
        for (std::size_t first = 0, last; first < order.size(); first = last) {
            std::vector<int> group;
            for (last = first; last < order.size() && compare(order[first], order[last]) == 0; ++last) {
                group.push_back(chosen[order[last]]);
            }
            cross_together(u, k, from, group, others[order[first]], next);
            check_room(u, bytes + next.bytes());
        }
    }

    // Both cost and limit count errors times kUnit.
    bool fits(int cost) {
        if (cost <= limit_) return true;
        lowest_dropped_ = std::min(lowest_dropped_, cost);
        return false;
    }

    // Compares all positions but that of stream k.
    int differ(const std::int32_t *one, const std::int32_t *other, int k) const {
        for (int s = 0; s < session_.stream_count(); ++s) {
            if (s != k && one[s] != other[s]) return one[s] < other[s] ? -1 : 1;
        }
        return 0;
    }

    void cross_together(int u, int k, const Tuples &from, const std::vector<int> &group, int others, Tuples &next) {
        const int first = from.position(group.front())[k];
        const Window window{first, farthest(u, k, from, group, others)};
        row_.assign(window.size(), kMany);
        for (const int one : group) {
            const int at = from.position(one)[k] - first;
            if (at < window.size()) row_[at] = from.errors(one);
        }
        for (int j = 1; j < window.size(); ++j) row_[j] = std::min(row_[j], row_[j - 1] + 1);
        cross<true, 1>(session_, u, k, window, row_, crossed_);
        for (int j = 0; j < window.size(); ++j) {
            if (j > 0 && crossed_[j] > crossed_[j - 1]) continue;
            if (fits(kUnit * crossed_[j] + others + far_[k].at(first + j))) offer(u, k, from.position(group.front()), first + j, crossed_[j], next);
        }
    }

    // The last position of stream k behind utterance u that may be within the limit. To get there from the farthest tuple
    // at least those words are inserted that outnumber the utterance's; that and the floor together only rise.
    int farthest(int u, int k, const Tuples &from, const std::vector<int> &group, int others) {
        int least = kMany;
        for (const int one : group) least = std::min(least, from.errors(one));
        const int reach = from.position(group.back())[k] + longest(session_.utterances[u]);
        int position = from.position(group.front())[k];
        while (position < far_[k].window.last) {
            if (!position + 1 > reach && !fits(kUnit * (least + position + 1 - reach) + others + far_[k].at(position + 1))) break;
            ++position;
        }
        return position;
    }

    // Words that nothing can meet any more are left behind.
    void offer(int u, int k, const std::int32_t *position, int behind, int errors, Tuples &next) {
        moved_.assign(position, position + session_.stream_count());
        moved_[k] = behind;
        for (int s = 0; s < session_.stream_count(); ++s) {
            const int first = session_.stand(u + 1, s).first;
            errors += std::max(0, first - moved_[s]);
            moved_[s] = std::max(moved_[s], first);
        }
        next.offer(moved_.data(), errors);
    }

    void check_room(int u, std::size_t bytes) const {
        if (bytes <= kRoom && tries_ <= kTries) return;
        const double whole = static_cast<double>(bytes) * session_.utterance_count() / (u + 1) / (1 << 20);
        throw TooMany(std::to_string(static_cast<long long>(whole)));
    }

    const Session &session_;
    const Floor &floor_;
    int limit_ = 0, lowest_dropped_ = 0;
    std::size_t tries_ = 0;
    std::vector<Row> near_, far_;  // of the utterances from u on, and from u + 1 on
    std::vector<int> row_, crossed_;
    std::vector<std::int32_t> moved_;
};

}  // namespace parakh::orc

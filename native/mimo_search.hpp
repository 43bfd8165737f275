// The way with fewest errors to give the utterances of several speakers, in any interleaving, to several streams.
//
// A node is the number of utterances given of each speaker, a state of it the number of words passed in each stream. From
// state to state goes one utterance: along one stream, with the edit distance from every state in that line. A state whose
// errors and the floor under what remains exceed the limit is dropped, and so is one that another stands for: moving on in a
// stream by a word, or back, is worth one error at most. Inserted words before an utterance belong to it, those at the end
// to the last state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "mimo_bound.hpp"

namespace parakh::mimo {

// An utterance, by its place in the session, and the stream it goes to.
struct Move {
    int utterance, stream;
};

struct Way {
    int errors;
    std::vector<Move> moves;
};

// Numbers for tuples of counts from 0 to a greatest one each.
class Numbering {
  public:
    explicit Numbering(const std::vector<int> &greatest) {
        for (const int one : greatest) {
            stride_.push_back(size_);
            base_.push_back(static_cast<std::uint64_t>(one) + 1);
            fits_ = fits_ && size_ <= kMost / base_.back();
            if (fits_) size_ *= base_.back();
        }
    }
    bool fits() const { return fits_; }
    std::uint64_t size() const { return size_; }
    std::uint64_t stride(int k) const { return stride_[k]; }
    int part(std::uint64_t number, int k) const { return static_cast<int>(number / stride_[k] % base_[k]); }

  private:
    static constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    std::vector<std::uint64_t> stride_, base_;
    std::uint64_t size_ = 1;
    bool fits_ = true;
};

class Search {
  public:
    enum class Outcome { found, none, too_large };

    Search(const Sides &sides, const Bound &bound)
        : sides_(sides), bound_(bound), nodes_(spoken(sides)), places_(heard(sides)), price_behind_(sides.speakers()), left_behind_(sides.stream_count()) {
        for (int r = 0; r < sides.speakers(); ++r) {
            price_behind_[r].assign(sides.spoken(r) + 1, 0);
            for (int n = sides.spoken(r); n-- > 0;) price_behind_[r][n] = price_behind_[r][n + 1] + bound.utterance_price(sides.said[r][n]);
        }
        for (int s = 0; s < sides.stream_count(); ++s) {
            left_behind_[s].assign(sides.streams[s].size() + 1, 0);
            for (int k = sides.streams[s].size(); k-- > 0;) left_behind_[s][k] = left_behind_[s][k + 1] + bound.left_over(s, k);
        }
    }

    bool fits(std::size_t states) const { return nodes_.fits() && places_.fits() && nodes_.size() <= states; }

    // The best way, if it has at most `limit` errors; keeps at most so many states and fills at most so many cells of lines.
    Outcome run(int limit, std::size_t states, std::size_t cells) {
        limit_ = std::int64_t{limit} * kError;
        filled_ = 0;
        marks_.clear();
        layer_.clear();
        layer_[0].push_back({0, 0, {kNone, kNone, kNone}});
        while (true) {
            next_.clear();
            found_ = 0;
            for (auto &[node, found] : layer_) {
                const std::vector<State> kept = keep(found);
                if (marks_.size() > states || found_ > states || filled_ > cells) return Outcome::too_large;
                if (node + 1 == nodes_.size()) return finish(kept, limit);
                expand(node, kept);
                found = {};
            }
            if (next_.empty()) return Outcome::none;
            std::swap(layer_, next_);
        }
    }

    const Way &way() const { return way_; }

  private:
    static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max() / 2;

    // How a state was reached: from which mark, by whose next utterance, in which stream.
    struct Mark {
        std::int32_t before;
        std::int16_t speaker, stream;
    };
    struct Found {
        std::uint64_t place;
        std::int32_t errors;
        Mark mark;
    };
    struct State {
        std::uint64_t place;
        std::int32_t errors, mark;
    };
    // A cell of a line: errors so far, and the state of the line they come from.
    struct Cell {
        std::int32_t errors, from;
    };

    static std::vector<int> spoken(const Sides &sides) {
        std::vector<int> counts;
        for (int r = 0; r < sides.speakers(); ++r) counts.push_back(sides.spoken(r));
        return counts;
    }
    static std::vector<int> heard(const Sides &sides) {
        std::vector<int> counts;
        for (const Stream &stream : sides.streams) counts.push_back(stream.size());
        return counts;
    }

    // Floor under what remains behind a node in one stream, from a word on.
    std::int64_t floor_in(const std::vector<int> &given, int s, int word) const {
        std::int64_t sum = left_behind_[s][word];
        for (int r = 0; r < sides_.speakers(); ++r) sum += bound_.remaining(r, s, given[r], word);
        return sum;
    }

    // The same without stream s: what its line adds to.
    std::int64_t floor_beside(const std::vector<int> &given, std::uint64_t place, int s) const {
        std::int64_t sum = 0;
        for (int r = 0; r < sides_.speakers(); ++r) sum += price_behind_[r][given[r]];
        for (int other = 0; other < sides_.stream_count(); ++other) {
            if (other != s) sum += floor_in(given, other, places_.part(place, other));
        }
        return sum;
    }

    // The states of a node that no other one stands for, each marked.
    std::vector<State> keep(std::vector<Found> &found) {
        const auto better = [](const Found &a, const Found &b) { return a.place != b.place ? a.place < b.place : a.errors < b.errors; };
        const auto same = [](const Found &a, const Found &b) { return a.place == b.place; };
        std::sort(found.begin(), found.end(), better);
        found.erase(std::unique(found.begin(), found.end(), same), found.end());
        for (int s = 0; s < sides_.stream_count(); ++s) drop_along(s, found);
        std::vector<State> kept;
        for (const Found &one : found) {
            kept.push_back({one.place, one.errors, static_cast<std::int32_t>(marks_.size())});
            marks_.push_back(one.mark);
        }
        return kept;
    }

    // Drops what another state in the same line of stream s stands for.
    void drop_along(int s, std::vector<Found> &found) const {
        const std::uint64_t stride = places_.stride(s);
        const auto rest = [&](const Found &one) { return one.place - stride * places_.part(one.place, s); };
        const auto in_line = [&](const Found &a, const Found &b) { return rest(a) != rest(b) ? rest(a) < rest(b) : a.place < b.place; };
        std::sort(found.begin(), found.end(), in_line);
        std::vector<bool> stays(found.size(), true);
        const auto pass = [&](std::size_t k, std::size_t beside, std::int32_t &reach) {
            const bool line = beside < found.size() && rest(found[beside]) == rest(found[k]);
            const auto away = line ? std::abs(places_.part(found[k].place, s) - places_.part(found[beside].place, s)) : 0;
            reach = line ? reach + away : kFar;
            if (reach <= found[k].errors) stays[k] = false;
            reach = std::min(reach, found[k].errors);
        };
        std::int32_t reach = kFar;
        for (std::size_t k = 0; k < found.size(); ++k) pass(k, k - 1, reach);
        reach = kFar;
        for (std::size_t k = found.size(); k-- > 0;) pass(k, k + 1, reach);
        std::size_t kept = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (stays[k]) found[kept++] = found[k];
        }
        found.resize(kept);
    }

    void expand(std::uint64_t node, const std::vector<State> &states) {
        std::vector<int> given;
        for (int r = 0; r < sides_.speakers(); ++r) given.push_back(nodes_.part(node, r));
        for (int s = 0; s < sides_.stream_count(); ++s) {
            const std::uint64_t stride = places_.stride(s);
            const auto rest = [&](const State &one) { return one.place - stride * places_.part(one.place, s); };
            std::vector<State> line(states);
            std::sort(line.begin(), line.end(), [&](const State &a, const State &b) {
                return rest(a) != rest(b) ? rest(a) < rest(b) : a.place < b.place;
            });
            for (std::size_t first = 0, last; first < line.size(); first = last) {
                for (last = first; last < line.size() && rest(line[last]) == rest(line[first]);) ++last;
                begin_line(given, s, &line[first], &line[0] + last);
                for (int r = 0; r < sides_.speakers(); ++r) {
                    if (given[r] < sides_.spoken(r)) go_along(node, given, r, s, rest(line[first]));
                }
            }
        }
    }

    // Puts the states of a line into begin_, with the words behind each inserted as far as the limit allows.
    void begin_line(const std::vector<int> &given, int s, const State *first, const State *last) {
        const std::int64_t beside = floor_beside(given, first->place, s);
        begin_.clear();
        line_first_ = places_.part(first->place, s);
        Cell now{kFar, kNone};
        for (int word = line_first_; word <= sides_.streams[s].size(); ++word) {
            if (now.errors < kFar) ++now.errors;
            if (first != last && places_.part(first->place, s) == word) {
                if (first->errors <= now.errors) now = {first->errors, first->mark};
                ++first;
            }
            if (now.errors < kFar && std::int64_t{now.errors} * kError + beside + floor_in(given, s, word) > limit_) now.errors = kFar;
            if (now.errors == kFar && first == last) break;
            begin_.push_back(now);
        }
    }

    // The next utterance of a speaker along the line that begin_ holds.
    void go_along(std::uint64_t node, std::vector<int> &given, int r, int s, std::uint64_t rest) {
        const Utterance &utterance = sides_.utterance(r, given[r]);
        ++given[r];
        const std::int64_t beside = floor_beside(given, rest, s);
        const std::uint64_t to = node + nodes_.stride(r);
        for (const Form &form : utterance.forms) {
            set_line(given, s, static_cast<int>(form.word.size()), beside);
            for (const std::int32_t word : form.word) step(word, s);
            filled_ += line_.size() * (form.word.size() + 1);
            for (std::size_t k = 0; k < line_.size(); ++k) {
                const std::int32_t errors = line_[k].errors;
                const bool stood_for = (k > 0 && line_[k - 1].errors < errors) || (k + 1 < line_.size() && line_[k + 1].errors < errors);
                const int word = line_first_ + static_cast<int>(k);
                if (errors >= kFar || stood_for || std::int64_t{errors} * kError + beside + floor_in(given, s, word) > limit_) continue;
                const Mark mark{line_[k].from, static_cast<std::int16_t>(r), static_cast<std::int16_t>(s)};
                next_[to].push_back({rest + places_.stride(s) * static_cast<std::uint64_t>(word), errors, mark});
                ++found_;
            }
        }
        --given[r];
    }

    // Copies begin_ with room for the words that an utterance may reach: a form saves one inserted word for each of its own.
    void set_line(const std::vector<int> &given, int s, int words, std::int64_t beside) {
        line_ = begin_;
        std::int32_t least = kFar;
        for (std::size_t k = 0; k < line_.size(); ++k) least = std::min(least, line_[k].errors - static_cast<std::int32_t>(k));
        for (int word = line_first_ + static_cast<int>(line_.size()); word <= sides_.streams[s].size(); ++word) {
            const std::int64_t errors = least + (word - line_first_) - words;
            if (errors * kError + beside + floor_in(given, s, word) > limit_) break;
            line_.push_back({kFar, kNone});
        }
    }

    void step(std::int32_t word, int s) {
        const std::int32_t *heard = sides_.streams[s].word.data() + line_first_;
        Cell diagonal = line_[0];
        ++line_[0].errors;
        for (std::size_t k = 1; k < line_.size(); ++k) {
            const Cell above = line_[k];
            Cell best = above.errors < line_[k - 1].errors ? above : line_[k - 1];
            ++best.errors;
            diagonal.errors += heard[k - 1] != word;
            line_[k] = diagonal.errors <= best.errors ? diagonal : best;
            diagonal = above;
        }
    }

    Outcome finish(const std::vector<State> &states, int limit) {
        const State *best = nullptr;
        int fewest = limit + 1;
        for (const State &one : states) {
            int errors = one.errors;
            for (int s = 0; s < sides_.stream_count(); ++s) errors += sides_.streams[s].size() - places_.part(one.place, s);
            if (errors < fewest) fewest = errors, best = &one;
        }
        if (!best) return Outcome::none;
        way_ = {fewest, {}};
        std::vector<int> left = spoken(sides_);
        for (Mark mark = marks_[best->mark]; mark.before != kNone; mark = marks_[mark.before]) {
            way_.moves.push_back({sides_.said[mark.speaker][--left[mark.speaker]], mark.stream});
        }
        std::reverse(way_.moves.begin(), way_.moves.end());
        return Outcome::found;
    }

    const Sides &sides_;
    const Bound &bound_;
    const Numbering nodes_, places_;
    std::vector<std::vector<std::int64_t>> price_behind_, left_behind_;
    std::int64_t limit_ = 0;
    std::vector<Mark> marks_;
    std::map<std::uint64_t, std::vector<Found>> layer_, next_;
    std::vector<Cell> begin_, line_;
    int line_first_ = 0;
    std::size_t found_ = 0, filled_ = 0;  // states in next_; cells of all lines
    Way way_{0, {}};
};

}  // namespace parakh::mimo

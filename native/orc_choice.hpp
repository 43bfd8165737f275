// One of the best combinations: that which meeteval takes, walked back from the end.
//
// Among streams that are equally good for an utterance the first is taken. In the table of an utterance against a stream
// equal words that may meet are matched; otherwise the way from the left (an inserted word) is taken unless the way from
// above (a deleted word) or then the diagonal is strictly cheaper. With times only a part of each row is worked off, and
// what lies outside it has an order of preference of its own; see row().
#pragma once

#include <algorithm>
#include <vector>

#include "orc.hpp"
#include "orc_search.hpp"

namespace parakh::orc {

class Choice {
  public:
    Choice(const Session &session, const std::vector<Tuples> &places) : session_(session), places_(places) {
        for (const Stream &stream : session.streams) around_.push_back(spread(stream.time));
    }

    std::vector<Taken> run() {
        std::vector<Taken> taken(session_.utterance_count());
        std::vector<int> at;
        for (int k = 0; k < session_.stream_count(); ++k) at.push_back(edge(session_.utterance_count() - 1, k));
        for (int u = session_.utterance_count(); u-- > 0;) {
            int origin = 0, least = kMany;
            for (const int k : session_.open(u)) {
                start(u, k, at);
                for (std::size_t form = 0; form < session_.utterances[u].forms.size(); ++form) {
                    const Cell cell = cross(u, k, static_cast<int>(form), at[k]);
                    if (cell.cost >= least) continue;
                    least = cell.cost, origin = cell.origin;
                    taken[u] = {k, static_cast<int>(form)};
                }
            }
            at[taken[u].stream] = origin;
            for (int k = 0; k < session_.stream_count(); ++k) at[k] = std::min(at[k], edge(u - 1, k));
        }
        return taken;
    }

  private:
    static constexpr int kMany = 1 << 28;

    // `origin` is the position before the utterance.
    struct Cell {
        int cost, origin;
        Cell more(int errors) const { return {cost + errors, origin}; }
    };

    // The last position in which a stream may stand behind utterance u.
    int edge(int u, int k) const { return u < 0 ? 0 : session_.window(u, k).last; }

    // The row of costs along stream k before utterance u, all other streams standing as `at` says.
    void start(int u, int k, const std::vector<int> &at) {
        const Window window = session_.window(u, k);
        start_.resize(window.size());
        for (int j = 0; j < window.size(); ++j) start_[j] = {kMany, window.first + j};
        const Tuples &from = places_[u];
        for (int one = 0; one < from.size(); ++one) {
            const std::int32_t *position = from.position(one);
            int errors = from.errors(one);
            bool behind = true;
            for (int s = 0; s < session_.stream_count() && behind; ++s) {
                if (s == k) continue;
                behind = position[s] <= at[s];
                errors += at[s] - position[s];
            }
            if (behind) start_[position[k] - window.first].cost = std::min(start_[position[k] - window.first].cost, errors);
        }
        for (int j = 1; j < window.size(); ++j) start_[j].cost = std::min(start_[j].cost, start_[j - 1].cost + 1);
    }

    Cell cross(int u, int k, int form, int at) {
        const Form &said = session_.utterances[u].forms[form];
        row_ = start_;
        if (session_.timed) {
            timed_row(said, k, session_.window(u, k));
        } else {
            row_.resize(at + 1);
            untimed_row(said, session_.streams[k]);
        }
        return row_[at - session_.window(u, k).first];
    }

    static Cell best(Cell left, Cell above, Cell diagonal, bool meet, bool equal) {
        if (meet && equal) return diagonal;
        if (above.cost < left.cost) left = above;
        if (meet && diagonal.cost < left.cost) left = diagonal;
        return left.more(1);
    }

    void untimed_row(const Form &said, const Form &heard) {
        for (const std::int32_t word : said.word) {
            Cell diagonal = row_[0];
            ++row_[0].cost;
            for (std::size_t j = 1; j < row_.size(); ++j) {
                const Cell above = row_[j];
                row_[j] = best(row_[j - 1], above, diagonal, true, heard.word[j - 1] == word);
                diagonal = above;
            }
        }
    }

    // Only the columns between `left` and `right` are worked off word by word. Those left of it have met their last word of
    // the utterance and pay for the rest of it at once. Those right of it have met none yet: when reached they pay for the
    // words passed by at once, unless the column before was cheaper by more than a word.
    void timed_row(const Form &said, int k, Window window) {
        const Stream &heard = session_.streams[k];
        const std::vector<Interval> &around = around_[k];
        const int words = static_cast<int>(said.word.size()), columns = window.size() - 1;
        const std::vector<Interval> reach = spread(said.time);
        int left = 0, right = 0;
        for (int i = 0; i < words; ++i) {
            Cell diagonal = row_[left];
            ++row_[left].cost;
            Cell before = row_[left];
            bool passing = true;
            int j = left + 1;
            for (; j <= columns; ++j) {
                const int other = window.first + j - 1;
                passing = passing && reach[i].begin > around[other].end;
                if (passing) ++left;
                Cell above = row_[j];
                if (j > right) {
                    above.cost += i;
                    if (diagonal.cost < above.cost) above = diagonal.more(1);
                }
                const bool meet = overlap(said.time[i], heard.time[other]);
                row_[j] = before = best(before, above, diagonal, meet, said.word[i] == heard.word[other]);
                diagonal = above;
                if (passing) row_[j - 1].cost += words - i - 1;
                if (reach[i].end < around[other].begin) break;
            }
            right = j;
        }
        for (int j = right + 1; j <= columns; ++j) {
            const Cell above = row_[j].more(words), before = row_[j - 1].more(1);
            row_[j] = above.cost < before.cost ? above : before;
        }
    }

    // Of each word the least begin of it and all later ones, and the greatest end of it and all earlier ones.
    static std::vector<Interval> spread(const std::vector<Interval> &time) {
        std::vector<Interval> out(time.size());
        double latest = 0;
        for (std::size_t k = 0; k < time.size(); ++k) out[k].end = latest = std::max(latest, time[k].end);
        double earliest = latest;
        for (std::size_t k = time.size(); k-- > 0;) out[k].begin = earliest = std::min(earliest, time[k].begin);
        return out;
    }

    const Session &session_;
    const std::vector<Tuples> &places_;
    std::vector<std::vector<Interval>> around_;  // of every stream
    std::vector<Cell> start_, row_;
};

}  // namespace parakh::orc

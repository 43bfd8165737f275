// A floor under the errors that remain at any point of a combination, stream by stream.
//
// Were every stream free to take or leave any utterance, each would be a table of its own (utterances by positions). A price
// is paid for every utterance once and given back by each stream that takes it, so that it is worth the while of exactly
// one: whatever the prices, what the streams pay together is never more than the errors of the best combination
// (Lagrangian relaxation; M. Held and R. Karp, "The traveling-salesman problem and minimum spanning trees", 1970). The best
// price of one utterance, all others kept, lies between what the two keenest streams would pay at most; going over the
// utterances from end to end and back sets one after the other, and the floor never sinks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "orc.hpp"

namespace parakh::orc {

// What an error costs here: prices are fractions of an error.
constexpr int kUnit = 4;

// Rows of costs by position, of every stream at every place between two utterances. Costs of neighbouring positions differ
// by an error at most, so that half a byte holds a position.
class Rows {
  public:
    explicit Rows(const Session &session) : streams_(session.stream_count()) {
        std::size_t bytes = 0;
        for (int u = 0; u <= session.utterance_count(); ++u) {
            for (int k = 0; k < streams_; ++k) {
                const Window stand = session.stand(u, k);
                entries_.push_back({stand, 0, bytes});
                bytes += stand.size() / 2;
            }
        }
        steps_.resize(bytes);
    }

    void write(int u, int k, const std::vector<int> &cost) {
        Entry &entry = entries_[static_cast<std::size_t>(u) * streams_ + k];
        entry.cost = cost[0];
        std::uint8_t *steps = steps_.data() + entry.offset;
        std::fill_n(steps, entry.stand.size() / 2, std::uint8_t{0});
        for (int j = 1; j < entry.stand.size(); ++j) {
            steps[(j - 1) / 2] |= static_cast<std::uint8_t>((cost[j] - cost[j - 1] + kUnit) << (j - 1) % 2 * 4);
        }
    }

    // The costs of the positions of `window`: before the row each word costs one more, and so behind it.
    void read(int u, int k, Window window, std::vector<int> &cost) const {
        const Entry &entry = entries_[static_cast<std::size_t>(u) * streams_ + k];
        const std::uint8_t *steps = steps_.data() + entry.offset;
        cost.resize(window.size());
        const auto put = [&](int position, int value) {
            if (position >= window.first && position <= window.last) cost[position - window.first] = value;
        };
        for (int position = window.first; position < entry.stand.first && position <= window.last; ++position) {
            cost[position - window.first] = entry.cost + kUnit * (entry.stand.first - position);
        }
        int value = entry.cost;
        put(entry.stand.first, value);
        for (int j = 1; j < entry.stand.size(); ++j) {
            value += (steps[(j - 1) / 2] >> (j - 1) % 2 * 4 & 15) - kUnit;
            put(entry.stand.first + j, value);
        }
        for (int position = std::max(window.first, entry.stand.last + 1); position <= window.last; ++position) {
            cost[position - window.first] = value + kUnit * (position - entry.stand.last);
        }
    }

  private:
    struct Entry {
        Window stand;
        int cost;
        std::size_t offset;
    };
    const int streams_;
    std::vector<Entry> entries_;
    std::vector<std::uint8_t> steps_;
};

class Floor {
  public:
    explicit Floor(const Session &session)
        : session_(session), price_(session.utterance_count()), ahead_(session), behind_(session), lines_(session.stream_count()) {
        backward(false);
        for (int pass = 0; pass < kPasses; ++pass) {
            const int before = total();
            forward();
            backward(true);
            if (total() == before) break;
        }
        sum_prices();
    }

    // Under the errors of the whole session.
    int total() const {
        int sum = 0;
        for (const int price : price_) sum += price;
        for (int k = 0; k < session_.stream_count(); ++k) {
            std::vector<int> cost;
            const Window stand = session_.stand(0, k);
            ahead_.read(0, k, stand, cost);
            sum += kUnit * stand.first + cost[0];
        }
        return sum;
    }

    int price(int u) const { return price_[u]; }
    int prices_from(int u) const { return prices_from_[u]; }

    // What stream k pays for utterances u and later, from the positions of a window on.
    void ahead(int u, int k, Window window, std::vector<int> &cost) const { ahead_.read(u, k, window, cost); }

  private:
    static constexpr int kPasses = 12;

    // One stream at one utterance: costs by position from the near side, left alone and with the utterance taken, and from
    // the far side.
    struct Line {
        Window window;
        std::vector<int> leave, take, far;
        bool open;

        // How much more the stream pays with the utterance than without.
        int margin() const {
            int taken = far[0] + take[0], left = far[0] + leave[0];
            for (std::size_t j = 1; j < far.size(); ++j) {
                taken = std::min(taken, far[j] + take[j]);
                left = std::min(left, far[j] + leave[j]);
            }
            return taken - left;
        }

        // Left alone or taken, whatever is cheaper at the price.
        void settle(int price) {
            if (!open) return;
            for (std::size_t j = 0; j < leave.size(); ++j) leave[j] = std::min(leave[j], take[j] - price);
        }
    };

    template <bool forwards>
    void enter(int u) {
        for (int k = 0; k < session_.stream_count(); ++k) lines_[k].open = false;
        for (const int k : session_.open(u)) lines_[k].open = true;
        for (int k = 0; k < session_.stream_count(); ++k) {
            Line &line = lines_[k];
            line.window = session_.window(u, k);
            if (forwards) {
                behind_.read(u, k, line.window, line.leave);
            } else {
                ahead_.read(u + 1, k, line.window, line.leave);
            }
            if (line.open) cross<forwards, kUnit>(session_, u, k, line.window, line.leave, line.take);
        }
    }

    void set_price(int u) {
        int least = kMany, second = kMany;
        for (const Line &line : lines_) {
            if (!line.open) continue;
            const int margin = line.margin();
            second = std::min(second, std::max(least, margin));
            least = std::min(least, margin);
        }
        second = std::min(second, least + 2 * kUnit * longest(session_.utterances[u]));
        price_[u] = least + (second - least) / 2;
    }

    void backward(bool adjust) {
        const int last = session_.utterance_count();
        for (int k = 0; k < session_.stream_count(); ++k) ahead_.write(last, k, {0});
        for (int u = last; u-- > 0;) {
            enter<false>(u);
            for (int k = 0; adjust && k < session_.stream_count(); ++k) {
                if (lines_[k].open) behind_.read(u, k, lines_[k].window, lines_[k].far);
            }
            if (adjust) set_price(u);
            for (int k = 0; k < session_.stream_count(); ++k) {
                lines_[k].settle(price_[u]);
                lines_[k].leave.resize(session_.stand(u, k).size());
                ahead_.write(u, k, lines_[k].leave);
            }
        }
    }

    void forward() {
        for (int k = 0; k < session_.stream_count(); ++k) behind_.write(0, k, {kUnit * session_.stand(0, k).first});
        for (int u = 0; u < session_.utterance_count(); ++u) {
            enter<true>(u);
            for (int k = 0; k < session_.stream_count(); ++k) {
                if (lines_[k].open) ahead_.read(u + 1, k, lines_[k].window, lines_[k].far);
            }
            set_price(u);
            for (int k = 0; k < session_.stream_count(); ++k) {
                lines_[k].settle(price_[u]);
                leave_behind(u, k);
            }
        }
    }

    // Writes the costs behind utterance u, in the positions in which the stream may stand there.
    void leave_behind(int u, int k) {
        const Window stand = session_.stand(u + 1, k);
        const Line &line = lines_[k];
        row_.resize(stand.size());
        for (int position = stand.first; position <= stand.last; ++position) {
            const int inside = std::min(position, line.window.last);
            row_[position - stand.first] = line.leave[inside - line.window.first] + kUnit * (position - inside);
        }
        behind_.write(u + 1, k, row_);
    }

    void sum_prices() {
        prices_from_.assign(price_.size() + 1, 0);
        for (std::size_t u = price_.size(); u-- > 0;) prices_from_[u] = prices_from_[u + 1] + price_[u];
    }

    static constexpr int kMany = 1 << 28;
    const Session &session_;
    std::vector<int> price_, prices_from_;
    Rows ahead_, behind_;
    std::vector<Line> lines_;
    std::vector<int> row_;
};

}  // namespace parakh::orc

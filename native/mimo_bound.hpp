// A floor under the errors of any way to give the utterances of several speakers, in any interleaving, to several streams.
//
// Every speaker is taken apart with every stream: a table of its own, in which the speaker's utterances and the stream's words
// may be used or left, in order. An utterance has a price that is paid once and given back by each table that uses it; a word
// of a stream has a price that each table pays which uses it, and that is given back once. Whatever the prices, what all
// tables cost together is never more than the errors of the best way (Lagrangian relaxation; M. Held and R. Karp, "The
// traveling-salesman problem and minimum spanning trees", Operations Research 18, 1970). The prices follow the subgradient:
// what no table uses becomes cheaper, what several use dearer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ingest.hpp"
#include "utterances.hpp"

namespace parakh::mimo {

constexpr std::int32_t kError = 1024;  // the price of an error: prices are integers, so that they are the same everywhere

// What is combined: of each speaker the utterances with words, in order, by their place in the session; and the streams.
struct Sides {
    const std::vector<Utterance> &utterances;
    const std::vector<Stream> &streams;
    std::vector<std::vector<int>> said;

    Sides(const std::vector<Utterance> &all, const std::vector<Stream> &heard) : utterances(all), streams(heard), said(speaker_count(all)) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            const auto &forms = all[k].forms;
            const auto silent = [](const Form &form) { return form.word.empty(); };
            if (!std::all_of(forms.begin(), forms.end(), silent)) said[all[k].speaker].push_back(static_cast<int>(k));
        }
    }

    int speakers() const { return static_cast<int>(said.size()); }
    int stream_count() const { return static_cast<int>(streams.size()); }
    int spoken(int speaker) const { return static_cast<int>(said[speaker].size()); }
    const Utterance &utterance(int speaker, int n) const { return utterances[said[speaker][n]]; }
    // Cells of all tables, at the ends of utterances.
    std::size_t cells() const {
        std::size_t rows = 0, columns = 0;
        for (const auto &one : said) rows += one.size() + 1;
        for (const Stream &stream : streams) columns += stream.word.size() + 1;
        return rows * columns;
    }
};

class Bound {
  public:
    explicit Bound(const Sides &sides) : sides_(sides), utterance_price_(sides.utterances.size()) {
        for (const Stream &stream : sides.streams) word_price_.emplace_back(stream.word.size());
        for (int r = 0; r < sides.speakers(); ++r) {
            for (const Stream &stream : sides.streams) tables_.emplace_back(sides.spoken(r) + 1, stream.size() + 1);
        }
    }

    // Prices at which every table breaks even on a known way: what an utterance costs there, half an error for a used word.
    void start(const std::vector<std::int32_t> &utterance_cost, const std::vector<std::vector<bool>> &used) {
        utterance_price_ = utterance_cost;
        for (std::size_t s = 0; s < used.size(); ++s) {
            for (std::size_t k = 0; k < used[s].size(); ++k) word_price_[s][k] = used[s][k] ? kError / 2 : 0;
        }
    }

    // Follows the subgradient for so many rounds, or until the floor is `errors`, which some way is known to have.
    void raise(std::int64_t errors, int rounds) {
        evaluate();
        std::int64_t best = total_;
        auto best_utterance = utterance_price_;
        auto best_word = word_price_;
        double pace = 1;
        std::vector<double> push(utterance_price_.size());
        std::vector<std::vector<double>> push_word;
        for (const auto &prices : word_price_) push_word.emplace_back(prices.size());
        for (int round = 0; round < rounds && total_ <= (errors - 1) * kError; ++round) {
            if (!follow(pace * static_cast<double>(errors * kError - total_), push, push_word)) break;
            evaluate();
            if (total_ > best) {
                best = total_;
                best_utterance = utterance_price_;
                best_word = word_price_;
            } else {
                pace *= kSlower;
            }
        }
        if (total_ == best) return;
        utterance_price_ = std::move(best_utterance);
        word_price_ = std::move(best_word);
        evaluate();
    }

    // Least number of errors of any way.
    int errors() const { return static_cast<int>(std::max<std::int64_t>(0, (total_ + kError - 1) / kError)); }

    // Of what remains of a table behind `said` utterances and `heard` words.
    std::int32_t remaining(int speaker, int stream, int said, int heard) const {
        return tables_[static_cast<std::size_t>(speaker) * sides_.stream_count() + stream].at(said, heard);
    }
    std::int32_t utterance_price(int utterance) const { return utterance_price_[utterance]; }
    // What a word costs that no table uses.
    std::int32_t left_over(int stream, int word) const { return kError - word_price_[stream][word]; }

  private:
    static constexpr double kSlower = 0.9, kMomentum = 0.7;

    // Least cost from each place on: a row for each number of utterances used or left, a column for each number of words. From
    // column to column it never falls and rises by two errors at most, so that 32 columns fit two bytes above the first.
    class Table {
      public:
        Table(int rows, int columns)
            : width(columns), blocks_((columns + 31) / 32), base_(static_cast<std::size_t>(rows) * blocks_), above_(static_cast<std::size_t>(rows) * columns) {}

        const int width;

        std::int32_t at(int row, int column) const {
            return base_[static_cast<std::size_t>(row) * blocks_ + column / 32] + above_[static_cast<std::size_t>(row) * width + column];
        }
        void write(int row, const std::vector<std::int32_t> &values) {
            for (int k = 0; k < blocks_; ++k) base_[static_cast<std::size_t>(row) * blocks_ + k] = values[32 * k];
            std::uint16_t *above = &above_[static_cast<std::size_t>(row) * width];
            for (int k = 0; k < width; ++k) above[k] = static_cast<std::uint16_t>(values[k] - values[k / 32 * 32]);
        }
        void read(int row, std::vector<std::int32_t> &values) const {
            values.resize(width);
            for (int k = 0; k < width; ++k) values[k] = at(row, k);
        }

      private:
        const int blocks_;
        std::vector<std::int32_t> base_;
        std::vector<std::uint16_t> above_;
    };

    Table &table(int speaker, int stream) { return tables_[static_cast<std::size_t>(speaker) * sides_.stream_count() + stream]; }

    void evaluate() {
        total_ = 0;
        for (const auto &speaker : sides_.said) {
            for (const int utterance : speaker) total_ += utterance_price_[utterance];
        }
        for (int s = 0; s < sides_.stream_count(); ++s) {
            for (int k = 0; k < sides_.streams[s].size(); ++k) total_ += left_over(s, k);
        }
        for (int r = 0; r < sides_.speakers(); ++r) {
            for (int s = 0; s < sides_.stream_count(); ++s) {
                fill(r, s);
                total_ += table(r, s).at(0, 0);
            }
        }
    }

    void fill(int r, int s) {
        Table &one = table(r, s);
        row_.assign(one.width, 0);
        one.write(sides_.spoken(r), row_);
        for (int n = sides_.spoken(r); n-- > 0;) {
            behind_ = row_;
            const std::int32_t price = utterance_price_[sides_.said[r][n]];
            for (const Form &form : sides_.utterance(r, n).forms) {
                cost_ = behind_;
                for (std::size_t k = form.word.size(); k-- > 0;) use_or_drop(form.word[k], s, 0, one.width - 1, cost_.data());
                for (int column = 0; column < one.width; ++column) row_[column] = std::min(row_[column], cost_[column] - price);
            }
            one.write(n, row_);
        }
    }

    // One word of an utterance more: it meets a word of the stream, which then is no insertion, or is deleted. `cost` holds the
    // columns from `first` to `last` of the stream.
    void use_or_drop(std::int32_t word, int s, int first, int last, std::int32_t *cost) const {
        const std::int32_t *heard = sides_.streams[s].word.data() + first, *price = word_price_[s].data() + first;
        const int size = last - first;
        for (int k = 0; k < size; ++k) {
            const std::int32_t met = cost[k + 1] + price[k] - (heard[k] == word ? kError : 0), dropped = cost[k] + kError;
            cost[k] = met < dropped ? met : dropped;
        }
        cost[size] += kError;
        for (int k = size; k-- > 0;) cost[k] = std::min(cost[k], cost[k + 1]);
    }

    // Moves the prices against what the tables use, by a step in proportion to how much is missing; whether there is a way.
    bool follow(double missing, std::vector<double> &push, std::vector<std::vector<double>> &push_word) {
        std::vector<int> uses(utterance_price_.size());
        std::vector<std::vector<int>> word_uses;
        for (const auto &prices : word_price_) word_uses.emplace_back(prices.size());
        for (int r = 0; r < sides_.speakers(); ++r) {
            for (int s = 0; s < sides_.stream_count(); ++s) trace(r, s, uses, word_uses[s]);
        }
        double norm = 0;
        for (const auto &speaker : sides_.said) {
            for (const int utterance : speaker) norm += square(push[utterance] = kMomentum * push[utterance] + 1 - uses[utterance]);
        }
        for (std::size_t s = 0; s < word_uses.size(); ++s) {
            for (std::size_t k = 0; k < word_uses[s].size(); ++k) {
                // A word that none uses gets no cheaper than free.
                double &way = push_word[s][k];
                way = kMomentum * way + word_uses[s][k] - 1;
                if (way < 0 && word_price_[s][k] == 0) way = 0;
                norm += square(way);
            }
        }
        if (norm == 0) return false;
        const double step = missing / norm;
        for (std::size_t k = 0; k < push.size(); ++k) utterance_price_[k] += rounded(step * push[k]);
        for (std::size_t s = 0; s < word_price_.size(); ++s) {
            for (std::size_t k = 0; k < word_price_[s].size(); ++k) {
                word_price_[s][k] = std::clamp(word_price_[s][k] + rounded(step * push_word[s][k]), 0, 2 * kError);
            }
        }
        return true;
    }

    static double square(double value) { return value * value; }
    static std::int32_t rounded(double value) { return static_cast<std::int32_t>(value + (value < 0 ? -0.5 : 0.5)); }

    // Counts what a cheapest way through a table uses.
    void trace(int r, int s, std::vector<int> &uses, std::vector<int> &word_uses) {
        const Table &one = table(r, s);
        int heard = 0;
        one.read(0, behind_);
        for (int n = 0; n < sides_.spoken(r); ++n) {
            std::swap(row_, behind_);
            one.read(n + 1, behind_);
            if (row_[heard] == behind_[heard]) continue;
            ++uses[sides_.said[r][n]];
            while (heard + 1 < one.width && row_[heard + 1] == row_[heard]) ++heard;
            heard = trace_utterance(r, s, n, heard, word_uses);
        }
    }

    // Follows an utterance from the column in which it begins to the one behind it, between row_ and behind_. Looked for among
    // the next columns, ever more of them, until the cost is the one it has to be.
    int trace_utterance(int r, int s, int n, int heard, std::vector<int> &word_uses) {
        const int end = static_cast<int>(row_.size()) - 1;
        const std::int32_t due = row_[heard] + utterance_price_[sides_.said[r][n]];
        for (int reach = 32;; reach *= 4) {
            const int last = std::min(end, heard + reach), width = last - heard + 1;
            for (const Form &form : sides_.utterance(r, n).forms) {
                const std::size_t words = form.word.size();
                lines_.assign((words + 1) * width, 0);
                std::copy_n(&behind_[heard], width, &lines_[words * width]);
                for (std::size_t k = words; k-- > 0;) {
                    std::copy_n(&lines_[(k + 1) * width], width, &lines_[k * width]);
                    use_or_drop(form.word[k], s, heard, last, &lines_[k * width]);
                }
                if (lines_[0] == due) return walk(form, heard, width, word_uses);
            }
        }
    }

    int walk(const Form &form, int heard, int width, std::vector<int> &word_uses) const {
        int at = 0;
        for (std::size_t k = 0; k < form.word.size();) {
            const std::int32_t *line = &lines_[k * width], *next = line + width;
            if (at + 1 < width && line[at] == line[at + 1]) {
                ++at;
            } else if (line[at] == next[at] + kError) {
                ++k;
            } else {
                ++word_uses[heard + at];
                ++at, ++k;
            }
        }
        return heard + at;
    }

    const Sides &sides_;
    std::vector<std::int32_t> utterance_price_;
    std::vector<std::vector<std::int32_t>> word_price_;
    std::vector<Table> tables_;
    std::vector<std::int32_t> row_, behind_, cost_, lines_;  // at work
    std::int64_t total_ = 0;
};

}  // namespace parakh::mimo

// Gives utterances to streams, one after the other, wherever each costs least, until nothing changes: the greedy search of
// T. von Neumann et al., "Word error rate definitions and algorithms for long-form multi-talker speech recognition", 2024,
// with the order of tries and the ties of meeteval 0.4.3.
//
// A pass goes through the utterances in order. Each is tried in every stream, the earlier ones where this pass left them and
// the later ones where the last pass did; it moves to the first stream in which it adds fewest errors, and stays where no
// other is better. Passes are repeated with a substitution that costs 2, then with one that costs 1.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "greedy_columns.hpp"

namespace parakh {

template <class Columns>
class Greedy {
  public:
    using Column = typename Columns::Column;

    // `assigned` holds the stream in which each utterance starts; there is at least one stream.
    Greedy(Columns columns, std::vector<int> assigned, int streams)
        : columns_(std::move(columns)), assigned_(std::move(assigned)), streams_(streams), utterances_(static_cast<int>(assigned_.size())),
          before_(utterances_), following_(utterances_), next_(streams), cost_(streams), with_(streams), without_(streams) {}

    std::vector<int> run() {
        for (const int change : {2, 1}) {
            columns_.set_change(change);
            end_.clear();
            for (int stream = 0; stream < streams_; ++stream) end_.push_back(columns_.end(stream));
            open_ = utterances_;
            for (int pass = 0; pass < kPasses && open_ > 0; ++pass) improve();
        }
        return assigned_;
    }

  private:
    static constexpr int kPasses = 49;  // of each cost; it settles long before

    // One pass. Where it has moved nothing, the last utterance that the pass before moved and those behind it would stay:
    // nothing around them has changed since their last trial.
    void improve() {
        look_back();
        std::vector<Column> ahead, trial(streams_);
        for (int stream = 0; stream < streams_; ++stream) {
            ahead.push_back(columns_.start(stream));
            cost_[stream] = columns_.cost(stream, ahead[stream], back(stream, next_[stream]));
        }
        const int last = std::exchange(open_, 0);
        bool moved = false;
        for (int utterance = 0; utterance < (moved ? utterances_ : last); ++utterance) {
            const int now = assigned_[utterance];
            for (int stream = 0; stream < streams_; ++stream) {
                columns_.forward(stream, utterance, ahead[stream], trial[stream]);
                if (stream == now) {
                    with_[stream] = cost_[stream];
                    without_[stream] = columns_.cost(stream, ahead[stream], back(stream, following_[utterance]));
                } else {
                    with_[stream] = columns_.cost(stream, trial[stream], back(stream, next_[stream]));
                    without_[stream] = cost_[stream];
                }
            }
            next_[now] = following_[utterance];
            const int best = cheapest(now);
            std::swap(ahead[best], trial[best]);
            if (best == now) continue;
            cost_[best] = with_[best];
            cost_[now] = without_[now];
            assigned_[utterance] = best;
            open_ = utterance;
            moved = true;
        }
        moved_to_ = open_ + 1;
    }

    // The first of the streams in which an utterance adds fewest errors, but the one it is in if that is as good.
    int cheapest(int now) const {
        int best = now;
        for (int stream = 0; stream < streams_; ++stream) {
            if (with_[stream] - without_[stream] < with_[best] - without_[best]) best = stream;
        }
        return best;
    }

    // The columns before each utterance in its stream, from the end; those behind the last that moved are known.
    void look_back() {
        const int known = open_ == utterances_ ? utterances_ : moved_to_;
        std::fill(next_.begin(), next_.end(), utterances_);
        for (int utterance = utterances_; utterance-- > 0;) {
            const int stream = assigned_[utterance];
            following_[utterance] = next_[stream];
            if (utterance < known) columns_.backward(stream, utterance, back(stream, next_[stream]), before_[utterance]);
            next_[stream] = utterance;
        }
    }

    // Of a stream from an utterance of it on; or its end.
    const Column &back(int stream, int utterance) const { return utterance < utterances_ ? before_[utterance] : end_[stream]; }

    Columns columns_;
    std::vector<int> assigned_;
    const int streams_, utterances_;
    std::vector<Column> before_, end_;
    std::vector<int> following_, next_;  // the next utterance of the same stream; of each stream from the one at work on
    std::vector<std::int32_t> cost_, with_, without_;
    int open_ = 0, moved_to_ = 0;  // utterances to try; those whose columns are out of date
};

}  // namespace parakh

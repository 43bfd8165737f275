// Word errors of a session whose utterances may go to any stream: those of a speaker in their order, those of different
// speakers in any interleaving (multiple input, multiple output).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "greedy_session.hpp"
#include "mimo_bound.hpp"
#include "mimo_search.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

using mimo::Move;

class MimoSession {
  public:
    MimoSession(nb::sequence reference, nb::sequence hypothesis) : greedy_(reference, hypothesis, std::nullopt, false) {}

    // Starts from the greedy way in time order, finds a floor, and looks for better ways until one is proven best or the
    // search grows too large.
    void assign() {
        greedy_.assign();
        least_ = errors_ = total().errors;
        if (greedy_.streams().empty() || greedy_.assigned().empty()) return;
        const mimo::Sides sides(greedy_.utterances(), greedy_.streams());
        for (const auto &speaker : sides.said) {
            for (const int utterance : speaker) moves_.push_back({utterance, greedy_.assigned()[utterance]});
        }
        std::sort(moves_.begin(), moves_.end(), [](const Move &a, const Move &b) { return a.utterance < b.utterance; });
        least_ = std::abs(said() - heard());
        if (sides.cells() > kMostCells) return;
        mimo::Bound bound(sides);
        price(bound);
        const double work = static_cast<double>(said() + 1) * (heard() + 1);
        bound.raise(errors_, static_cast<int>(std::min<double>(kMostRounds, kMostWork / work)));
        least_ = std::max(least_, bound.errors());
        search(sides, bound);
    }

    Counts total() {
        Counts sum;
        for (int k = 0; k < greedy_.pairs(); ++k) {
            const Counts counts = greedy_.counts(k);
            sum.errors += counts.errors;
            sum.substitutions += counts.substitutions;
        }
        return sum;
    }

    int said() const { return words([&](int k) -> const Stream & { return greedy_.reference(k); }); }
    int heard() const { return words([&](int k) -> const Stream & { return greedy_.hypothesis(k); }); }
    int least() const { return least_; }
    GreedySession &streams() { return greedy_; }

    // The index of each segment with words and the speaker of its stream, in the order in which they are taken.
    nb::list moves() const {
        nb::list out;
        for (const Move &move : moves_) {
            const Utterance &utterance = greedy_.utterances()[move.utterance];
            out.append(nb::make_tuple(utterance.segment, nb::borrow(greedy_.streams()[move.stream].speaker)));
        }
        return out;
    }

  private:
    static constexpr std::size_t kMostCells = std::size_t{1} << 26, kMostStates = std::size_t{1} << 21, kMostFilled = std::size_t{1} << 29;
    static constexpr double kMostRounds = 100, kMostWork = 8e9;

    template <class Of>
    int words(Of stream) const {
        int sum = 0;
        for (int k = 0; k < greedy_.pairs(); ++k) sum += stream(k).size();
        return sum;
    }

    // Prices at which the greedy way breaks even: a used word costs half an error.
    void price(mimo::Bound &bound) {
        std::vector<std::int32_t> place_of(greedy_.utterances().size()), cost(place_of.size(), 0);
        for (std::size_t k = 0; k < place_of.size(); ++k) place_of[greedy_.utterances()[k].segment] = static_cast<std::int32_t>(k);
        std::vector<std::vector<bool>> used;
        for (int k = 0; k < greedy_.pairs(); ++k) {
            const Stream &one = greedy_.reference(k), &other = greedy_.hypothesis(k);
            used.emplace_back(other.size());
            for (const Step &step : greedy_.steps(k)) {
                if (step.reference == kNone) continue;
                std::int32_t &sum = cost[place_of[one.place[step.reference].segment]];
                if (step.hypothesis == kNone) {
                    sum += mimo::kError;
                } else {
                    sum += one.word[step.reference] == other.word[step.hypothesis] ? -mimo::kError / 2 : mimo::kError / 2;
                    used.back()[step.hypothesis] = true;
                }
            }
        }
        bound.start(cost, used);
    }

    // Looks for a way with as few errors as the floor, then with more, in growing steps. Where there is none, the floor rises.
    void search(const mimo::Sides &sides, const mimo::Bound &bound) {
        mimo::Search search(sides, bound);
        if (!search.fits(kMostStates)) return;
        for (int more = 1; least_ < errors_; more *= 2) {
            const int limit = std::min(errors_ - 1, least_ + more - 1);
            const auto outcome = search.run(limit, kMostStates, kMostFilled);
            if (outcome == mimo::Search::Outcome::too_large) return;
            if (outcome == mimo::Search::Outcome::found) return take(search.way());
            least_ = limit + 1;
        }
    }

    void take(const mimo::Way &way) {
        least_ = errors_ = way.errors;
        moves_ = way.moves;
        std::vector<std::vector<int>> orders(greedy_.streams().size());
        for (const Move &move : moves_) orders[move.stream].push_back(move.utterance);
        greedy_.give(orders);
    }

    GreedySession greedy_;
    int errors_ = 0, least_ = 0;
    std::vector<Move> moves_;
};

nb::tuple mimo_counts(nb::sequence reference, nb::sequence hypothesis, nb::object) {
    MimoSession session(reference, hypothesis);
    Counts sum;
    {
        nb::gil_scoped_release release;
        session.assign();
        sum = session.total();
    }
    return nb::make_tuple(sum.errors, sum.substitutions, session.said(), session.heard(), session.least());
}

nb::tuple mimo_words(nb::sequence reference, nb::sequence hypothesis, nb::object) {
    MimoSession session(reference, hypothesis);
    std::vector<std::vector<Step>> steps;
    {
        nb::gil_scoped_release release;
        session.assign();
        for (int k = 0; k < session.streams().pairs(); ++k) steps.push_back(session.streams().steps(k));
    }
    nb::list out;
    for (int k = 0; k < session.streams().pairs(); ++k) {
        out.append(place_rows(steps[k], session.streams().reference(k), session.streams().hypothesis(k)));
    }
    return nb::make_tuple(session.moves(), out);
}

}  // namespace
}  // namespace parakh

void bind_mimo(nb::module_ &m) {
    m.def("mimo_counts", &parakh::mimo_counts, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("mimo_words", &parakh::mimo_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
}

// Word errors of a session whose utterances are given to the streams of the other side greedily: those of the reference to
// hypothesis streams (ORC), or those of the hypothesis to reference speakers (diarization-invariant).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "greedy_session.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

nb::tuple greedy_counts(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, bool invariant) {
    GreedySession session(reference, hypothesis, collar, invariant);
    Counts sum;
    int said = 0, heard = 0;
    {
        nb::gil_scoped_release release;
        session.assign();
        for (int k = 0; k < session.pairs(); ++k) {
            const Counts counts = session.counts(k);
            sum.errors += counts.errors;
            sum.substitutions += counts.substitutions;
            said += session.reference(k).size();
            heard += session.hypothesis(k).size();
        }
    }
    return nb::make_tuple(sum.errors, sum.substitutions, said, heard);
}

nb::tuple greedy_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar, bool invariant) {
    GreedySession session(reference, hypothesis, collar, invariant);
    std::vector<std::vector<Step>> steps;
    {
        nb::gil_scoped_release release;
        session.assign();
        for (int k = 0; k < session.pairs(); ++k) {
            steps.push_back(session.steps(k));
            if (!invariant) continue;
            for (Step &step : steps.back()) std::swap(step.reference, step.hypothesis);
        }
    }
    nb::list out;
    for (int k = 0; k < session.pairs(); ++k) out.append(place_rows(steps[k], session.reference(k), session.hypothesis(k)));
    return nb::make_tuple(session.stream_names(), out);
}

}  // namespace
}  // namespace parakh

void bind_greedy(nb::module_ &m) {
    m.def("greedy_counts", &parakh::greedy_counts, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none(), nb::arg("invariant"));
    m.def("greedy_words", &parakh::greedy_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none(), nb::arg("invariant"));
}

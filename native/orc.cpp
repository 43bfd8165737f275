// Word errors of a session under the best combination of the reference's utterances into the hypothesis' streams.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "orc.hpp"
#include "orc_choice.hpp"
#include "orc_floor.hpp"
#include "orc_search.hpp"

namespace nb = nanobind;

namespace parakh::orc {
namespace {

std::vector<Taken> best_combination(const Session &session) {
    if (session.utterance_count() == 0) return {};
    const Floor floor(session);
    const std::vector<Tuples> places = Search(session, floor).run();
    return Choice(session, places).run();
}

nb::tuple count_combination(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) {
    const Session session(reference, hypothesis, collar);
    Counts sum;
    int said = 0, heard = 0;
    {
        nb::gil_scoped_release release;
        const std::vector<Taken> taken = best_combination(session);
        for (int k = 0; k < session.stream_count(); ++k) {
            const Stream combined = session.combined(taken, k);
            const Counts counts = session.counts(combined, k);
            sum.errors += counts.errors;
            sum.substitutions += counts.substitutions;
            said += combined.size();
            heard += session.streams[k].size();
        }
    }
    return nb::make_tuple(sum.errors, sum.substitutions, said, heard);
}

// For every stream its speaker, the segments of the reference that it takes, and the steps of their alignment.
nb::list align_combination(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) {
    const Session session(reference, hypothesis, collar);
    std::vector<Taken> taken;
    std::vector<Stream> said;
    std::vector<std::vector<Step>> steps;
    {
        nb::gil_scoped_release release;
        taken = best_combination(session);
        for (int k = 0; k < session.stream_count(); ++k) {
            said.push_back(session.combined(taken, k));
            steps.push_back(session.steps(said[k], k));
        }
    }
    nb::list out;
    for (int k = 0; k < session.stream_count(); ++k) {
        std::vector<int> segments;
        for (int u = 0; u < session.utterance_count(); ++u) {
            if (taken[u].stream == k) segments.push_back(session.utterances[u].segment);
        }
        const Stream &heard = session.streams[k];
        const nb::object speaker = heard.speaker ? nb::borrow(heard.speaker) : nb::none();
        out.append(nb::make_tuple(speaker, segments, place_rows(steps[k], said[k], heard)));
    }
    return out;
}

}  // namespace
}  // namespace parakh::orc

void bind_orc(nb::module_ &m) {
    m.def("count_combination", &parakh::orc::count_combination, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("align_combination", &parakh::orc::align_combination, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
}

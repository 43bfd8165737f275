// Diarization and Jaccard error rates. Seconds are double throughout; only the Jaccard error rate counts frames.
#include "assignment.hpp"
#include "sweep.hpp"
#include "turns.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace {

using namespace parakh::diarization;

// ------------------------------------------------------------------------------------------- diarization error rate

// Who stands for whom, and how long each pair speaks together.
struct Mapping {
    std::vector<int> partner;      // the hypothesis speaker of each reference speaker, -1 where there is none
    std::vector<double> together;  // seconds, row-major
    int pairs() const { return static_cast<int>(partner.size() - std::count(partner.begin(), partner.end(), -1)); }
};

// Maximises the total overlap; speakers that never speak together are no pair.
Mapping best_mapping(const Sweep &sweep) {
    Mapping mapping{{}, overlaps(sweep)};
    std::vector<double> cost(mapping.together.size());
    std::transform(mapping.together.begin(), mapping.together.end(), cost.begin(), [](double overlap) { return -overlap; });
    mapping.partner = parakh::solve(cost.data(), sweep.references(), sweep.hypotheses());
    for (std::size_t r = 0; r < mapping.partner.size(); ++r) {
        int &partner = mapping.partner[r];
        if (partner >= 0 && mapping.together[r * sweep.hypotheses() + partner] <= 0) partner = -1;
    }
    return mapping;
}

// What is scored: the time away from reference boundaries in which so many reference speakers speak.
struct Rules {
    double collar;
    std::size_t fewest, most;
};

// How many speakers are missed, falsely heard and confused at a moment.
struct Errors {
    int miss, false_alarm, confusion;
};

Errors errors(const Moment &now, const std::vector<int> &partner) {
    const int reference = static_cast<int>(now.reference.size());
    const int hypothesis = static_cast<int>(now.hypothesis.size());
    int correct = 0;
    for (const int r : now.reference)
        if (partner[r] >= 0 && now.active[partner.size() + partner[r]] > 0) ++correct;
    return {std::max(reference - hypothesis, 0), std::max(hypothesis - reference, 0), std::min(reference, hypothesis) - correct};
}

// How many speakers are heard inside the regions, and how many of them have a partner.
struct Speakers {
    int reference, hypothesis, pairs;
};

// Calls visit(moment, errors) for every scored stretch. The mapping sees the time that the rules exclude.
template <class Visit>
Speakers score(const Turns &reference, const Turns &hypothesis, const Spans &regions, const Rules &rules, Visit visit) {
    const Intervals inside = unite(regions);
    const Side ref = crop(reference, inside);
    const Side hyp = crop(hypothesis, inside);
    Sweep sweep(ref.speakers, hyp.speakers, inside);
    const Mapping mapping = best_mapping(sweep);
    sweep.exclude_collars(ref.speakers, rules.collar);
    sweep.run([&](const Moment &now) {
        const std::size_t speaking = now.reference.size();
        if (rules.fewest <= speaking && speaking <= rules.most) visit(now, errors(now, mapping.partner));
    });
    return {sweep.references(), sweep.hypotheses(), mapping.pairs()};
}

void add_speakers(nb::dict &figures, const Speakers &heard) {
    figures["reference_speakers"] = heard.reference;
    figures["hypothesis_speakers"] = heard.hypothesis;
    figures["missed_speakers"] = heard.reference - heard.pairs;
    figures["false_alarm_speakers"] = heard.hypothesis - heard.pairs;
}

nb::dict der(const Turns &reference, const Turns &hypothesis, const Spans &regions, double collar, int fewest, int most) {
    double miss = 0, false_alarm = 0, confusion = 0, scored = 0;
    double speech = 0, silence = 0, overlap = 0, missed_speech = 0, false_speech = 0;
    Speakers heard;
    {
        nb::gil_scoped_release release;
        const Rules rules{collar, static_cast<std::size_t>(fewest), static_cast<std::size_t>(most)};
        heard = score(reference, hypothesis, regions, rules, [&](const Moment &now, const Errors &wrong) {
            const double duration = now.duration();
            miss += duration * wrong.miss;
            false_alarm += duration * wrong.false_alarm;
            confusion += duration * wrong.confusion;
            scored += duration * static_cast<double>(now.reference.size());
            (now.reference.empty() ? silence : speech) += duration;
            if (now.reference.size() > 1) overlap += duration;
            if (!now.reference.empty() && now.hypothesis.empty()) missed_speech += duration;
            if (now.reference.empty() && !now.hypothesis.empty()) false_speech += duration;
        });
    }
    nb::dict figures;
    figures["miss"] = miss;
    figures["false_alarm"] = false_alarm;
    figures["confusion"] = confusion;
    figures["scored"] = scored;
    figures["speech"] = speech;
    figures["silence"] = silence;
    figures["overlap"] = overlap;
    figures["missed_speech"] = missed_speech;
    figures["false_speech"] = false_speech;
    add_speakers(figures, heard);
    return figures;
}

using Stretch = std::tuple<double, double, int, int>;  // start, end, kind (0 miss, 1 false alarm, 2 confusion), speakers

std::vector<Stretch> stretches(const Turns &reference, const Turns &hypothesis, const Spans &regions, double collar, int fewest,
                               int most) {
    nb::gil_scoped_release release;
    std::vector<Stretch> found;
    Stretch open[3];  // the latest of each kind, continued while its number of speakers stays
    const auto close = [&](Stretch &one) {
        if (std::get<3>(one) > 0) found.push_back(one);
    };
    const Rules rules{collar, static_cast<std::size_t>(fewest), static_cast<std::size_t>(most)};
    score(reference, hypothesis, regions, rules, [&](const Moment &now, const Errors &wrong) {
        const int speakers[3] = {wrong.miss, wrong.false_alarm, wrong.confusion};
        for (int kind = 0; kind < 3; ++kind) {
            if (speakers[kind] == 0) continue;
            if (std::get<3>(open[kind]) == speakers[kind] && std::get<1>(open[kind]) == now.start) {
                std::get<1>(open[kind]) = now.end;
            } else {
                close(open[kind]);
                open[kind] = {now.start, now.end, kind, speakers[kind]};
            }
        }
    });
    for (Stretch &one : open) close(one);
    std::sort(found.begin(), found.end());
    return found;
}

using Pair = std::tuple<std::string, std::string, double, double, double>;

std::vector<Pair> pairs(const Turns &reference, const Turns &hypothesis, const Spans &regions) {
    nb::gil_scoped_release release;
    const Intervals inside = unite(regions);
    const Side ref = crop(reference, inside);
    const Side hyp = crop(hypothesis, inside);
    const Mapping mapping = best_mapping(Sweep(ref.speakers, hyp.speakers, inside));
    const std::vector<double> ref_length = lengths(ref.speakers), hyp_length = lengths(hyp.speakers);
    std::vector<Pair> found;
    for (std::size_t r = 0; r < mapping.partner.size(); ++r) {
        const int h = mapping.partner[r];
        if (h < 0) continue;
        const double together = mapping.together[r * hyp.speakers.size() + h];
        found.emplace_back(reference.names[ref.source[r]], hypothesis.names[hyp.source[h]], together, ref_length[r], hyp_length[h]);
    }
    return found;
}

// --------------------------------------------------------------------------------------------- Jaccard error rate

// The Jaccard error of every pair of speakers, row-major; turns are ranges of frames.
std::vector<double> jaccard_errors(const std::vector<Intervals> &ref, const std::vector<Intervals> &hyp, const Intervals &regions) {
    const std::vector<double> ref_length = lengths(ref), hyp_length = lengths(hyp);
    std::vector<double> error = overlaps(Sweep(ref, hyp, regions));
    for (std::size_t r = 0; r < ref.size(); ++r) {
        for (std::size_t h = 0; h < hyp.size(); ++h) {
            double &cell = error[r * hyp.size() + h];
            const double either = ref_length[r] + hyp_length[h] - cell;
            cell = either > 0 ? 1 - cell / either : 1;
        }
    }
    return error;
}

nb::dict jer(const Turns &reference, const Turns &hypothesis, const Spans &regions, double step) {
    double sum = 0;
    Speakers heard{0, 0, 0};
    {
        nb::gil_scoped_release release;
        const Intervals inside = unite(regions);
        const Frames frames(step, inside.empty() ? 0 : inside.back().end);
        const std::vector<Intervals> ref = frames.of(crop(reference, inside).speakers);
        const std::vector<Intervals> hyp = frames.of(crop(hypothesis, inside).speakers);
        const std::vector<double> error = jaccard_errors(ref, hyp, frames.of(inside));
        const std::vector<int> partner = parakh::solve(error.data(), static_cast<int>(ref.size()), static_cast<int>(hyp.size()));
        heard = {static_cast<int>(ref.size()), static_cast<int>(hyp.size()), 0};
        for (std::size_t r = 0; r < ref.size(); ++r) {
            const double own = partner[r] >= 0 ? error[r * hyp.size() + partner[r]] : 1.0;
            if (own < 1) ++heard.pairs;
            sum += own;
        }
    }
    nb::dict figures;
    figures["jaccard_error"] = sum;
    add_speakers(figures, heard);
    return figures;
}

}  // namespace

void bind_intervals(nb::module_ &m) {
    nb::class_<Turns>(m, "Turns", "The turns of one side of a recording, merged per speaker.")
        .def("__init__", [](Turns *self, const nb::object &segments) { new (self) Turns(read_turns(segments)); }, nb::arg("segments"))
        .def_ro("self_overlaps", &Turns::self_overlaps, "Turns that overlapped an earlier one of their speaker and were joined to it.")
        .def_prop_ro("extent", &extent, "[(first start, last end)] in seconds; [] without turns.");
    m.def("der", &der, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"), nb::arg("collar"), nb::arg("fewest"),
          nb::arg("most"), "Seconds of each kind of error and of what was scored, and the numbers of speakers, by name.");
    m.def("stretches", &stretches, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"), nb::arg("collar"),
          nb::arg("fewest"), nb::arg("most"), "Where the errors are: (start, end, 0 miss | 1 false alarm | 2 confusion, speakers), sorted.");
    m.def("pairs", &pairs, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"),
          "The mapping that maximises the overlap: (reference, hypothesis, seconds together, of the one, of the other).");
    m.def("jer", &jer, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"), nb::arg("step"),
          "Sum of the reference speakers' Jaccard errors, and the numbers of speakers, by name.");
}

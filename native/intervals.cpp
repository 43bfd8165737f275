// One sweep over the boundaries of turns gives every figure of a diarization. Times are double seconds throughout; nothing
// is rounded or rasterised. Time and memory are linear in the number of turns, times the logarithm of the number of speakers.
#include "assignment.hpp"
#include "turns.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace {

using namespace parakh::diarization;

// ----------------------------------------------------------------------------------------------------------- sweep

struct Event {
    double time;
    int track;  // reference speakers, then hypothesis speakers, then the excluded time
    int step;   // +1 begins, -1 ends
    bool operator<(const Event &other) const { return time < other.time; }
};

// What is going on between two neighbouring boundaries.
struct Moment {
    double start, end;
    std::vector<int> reference, hypothesis;  // the speakers speaking
    std::vector<int> active;                 // per track: how many of its intervals are open
    double duration() const { return end - start; }
};

class Sweep {
  public:
    Sweep(const std::vector<Intervals> &reference, const std::vector<Intervals> &hypothesis)
        : reference_(static_cast<int>(reference.size())), hypothesis_(static_cast<int>(hypothesis.size())), runs_{0} {
        int track = 0;
        for (const auto *side : {&reference, &hypothesis}) {
            for (const Intervals &turns : *side) {
                for (const Interval &turn : turns) {
                    events_.push_back({turn.start, track, +1});
                    events_.push_back({turn.end, track, -1});
                }
                ++track;
                runs_.push_back(events_.size());
            }
        }
        sort();
    }

    int references() const { return reference_; }
    int hypotheses() const { return hypothesis_; }

    // Excludes [boundary - collar, boundary + collar] around every boundary of the reference speakers.
    void exclude_collars(const std::vector<Intervals> &reference, double collar) {
        if (collar == 0) return;
        runs_ = {0, events_.size()};
        for (const int side : {-1, +1}) {
            for (const Intervals &turns : reference) {
                for (const Interval &turn : turns) {
                    events_.push_back({turn.start + side * collar, excluded(), -side});
                    events_.push_back({turn.end + side * collar, excluded(), -side});
                }
                runs_.push_back(events_.size());
            }
        }
        sort();
    }

    // Calls visit(moment) for every stretch of time between boundaries that is not excluded, in order of time.
    template <class Visit> void run(Visit visit) const {
        Moment now{0, 0, {}, {}, std::vector<int>(excluded() + 1, 0)};
        for (const Event &event : events_) {
            now.end = event.time;
            if (now.end > now.start && now.active[excluded()] == 0 && !(now.reference.empty() && now.hypothesis.empty())) visit(now);
            now.start = event.time;
            now.active[event.track] += event.step;
            if (event.track < reference_)
                toggle(now.reference, event.track, now.active[event.track]);
            else if (event.track < excluded())
                toggle(now.hypothesis, event.track - reference_, now.active[event.track]);
        }
    }

  private:
    int excluded() const { return reference_ + hypothesis_; }

    // A speaker's turns may touch: its end and its next beginning then come at one time, in either order.
    static void toggle(std::vector<int> &speaking, int speaker, int active) {
        const auto at = std::find(speaking.begin(), speaking.end(), speaker);
        if (active > 0 && at == speaking.end()) {
            speaking.push_back(speaker);
        } else if (active <= 0 && at != speaking.end()) {
            *at = speaking.back();
            speaking.pop_back();
        }
    }

    // Every track is a sorted run: merging them in pairs beats sorting.
    void sort() {
        while (runs_.size() > 2) {
            std::vector<std::size_t> merged{0};
            for (std::size_t k = 2; k < runs_.size(); k += 2) {
                const auto begin = events_.begin();
                std::inplace_merge(begin + runs_[k - 2], begin + runs_[k - 1], begin + runs_[k]);
                merged.push_back(runs_[k]);
            }
            if (merged.back() != events_.size()) merged.push_back(events_.size());
            runs_ = std::move(merged);
        }
    }

    int reference_, hypothesis_;
    std::vector<Event> events_;
    std::vector<std::size_t> runs_;
};

// Seconds (or frames) in which reference speaker r and hypothesis speaker h both speak, row-major.
std::vector<double> overlaps(const Sweep &sweep) {
    const std::size_t columns = sweep.hypotheses();
    std::vector<double> together(sweep.references() * columns, 0.0);
    sweep.run([&](const Moment &now) {
        for (const int r : now.reference)
            for (const int h : now.hypothesis) together[r * columns + h] += now.duration();
    });
    return together;
}

// ------------------------------------------------------------------------------------------- diarization error rate

// The hypothesis speaker of each reference speaker that maximises the total overlap; -1 where there is none.
std::vector<int> best_mapping(const Sweep &sweep) {
    const std::vector<double> together = overlaps(sweep);
    std::vector<double> cost(together.size());
    std::transform(together.begin(), together.end(), cost.begin(), [](double overlap) { return -overlap; });
    std::vector<int> mapping = parakh::solve(cost.data(), sweep.references(), sweep.hypotheses());
    for (std::size_t r = 0; r < mapping.size(); ++r)
        if (mapping[r] >= 0 && together[r * sweep.hypotheses() + mapping[r]] <= 0) mapping[r] = -1;
    return mapping;
}

// How many speakers are missed, falsely heard and confused at a moment.
struct Errors {
    int miss, false_alarm, confusion;
};

Errors errors(const Moment &now, const std::vector<int> &mapping) {
    const int reference = static_cast<int>(now.reference.size());
    const int hypothesis = static_cast<int>(now.hypothesis.size());
    int correct = 0;
    for (const int r : now.reference)
        if (mapping[r] >= 0 && now.active[mapping.size() + mapping[r]] > 0) ++correct;
    return {std::max(reference - hypothesis, 0), std::max(hypothesis - reference, 0), std::min(reference, hypothesis) - correct};
}

// Calls visit(moment, errors) for every scored stretch. The mapping sees the time that the collar and overlap rules exclude.
template <class Visit>
void score(const Turns &reference, const Turns &hypothesis, const Spans &regions, double collar, bool skip_overlap, Visit visit) {
    const Intervals inside = unite(regions);
    const Side ref = crop(reference, inside);
    const Side hyp = crop(hypothesis, inside);
    Sweep sweep(ref.speakers, hyp.speakers);
    const std::vector<int> mapping = best_mapping(sweep);
    sweep.exclude_collars(ref.speakers, collar);
    sweep.run([&](const Moment &now) {
        if (!skip_overlap || now.reference.size() < 2) visit(now, errors(now, mapping));
    });
}

nb::dict der(const Turns &reference, const Turns &hypothesis, const Spans &regions, double collar, bool skip_overlap) {
    double miss = 0, false_alarm = 0, confusion = 0, scored = 0, speech = 0, overlap = 0, missed_speech = 0, false_speech = 0;
    {
        nb::gil_scoped_release release;
        score(reference, hypothesis, regions, collar, skip_overlap, [&](const Moment &now, const Errors &wrong) {
            const double duration = now.duration();
            miss += duration * wrong.miss;
            false_alarm += duration * wrong.false_alarm;
            confusion += duration * wrong.confusion;
            scored += duration * static_cast<double>(now.reference.size());
            if (!now.reference.empty()) speech += duration;
            if (now.reference.size() > 1) overlap += duration;
            if (now.hypothesis.empty()) missed_speech += duration;
            if (now.reference.empty()) false_speech += duration;
        });
    }
    nb::dict figures;
    figures["miss"] = miss;
    figures["false_alarm"] = false_alarm;
    figures["confusion"] = confusion;
    figures["scored"] = scored;
    figures["speech"] = speech;
    figures["overlap"] = overlap;
    figures["missed_speech"] = missed_speech;
    figures["false_speech"] = false_speech;
    return figures;
}

using Stretch = std::tuple<double, double, int, int>;  // start, end, kind (0 miss, 1 false alarm, 2 confusion), speakers

std::vector<Stretch> stretches(const Turns &reference, const Turns &hypothesis, const Spans &regions, double collar,
                               bool skip_overlap) {
    nb::gil_scoped_release release;
    std::vector<Stretch> found;
    Stretch open[3];  // the latest of each kind, continued while its number of speakers stays
    const auto close = [&](Stretch &one) {
        if (std::get<3>(one) > 0) found.push_back(one);
    };
    score(reference, hypothesis, regions, collar, skip_overlap, [&](const Moment &now, const Errors &wrong) {
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

std::vector<std::pair<std::string, std::string>> mapping(const Turns &reference, const Turns &hypothesis, const Spans &regions) {
    nb::gil_scoped_release release;
    const Intervals inside = unite(regions);
    const Side ref = crop(reference, inside);
    const Side hyp = crop(hypothesis, inside);
    const std::vector<int> partner = best_mapping(Sweep(ref.speakers, hyp.speakers));
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t r = 0; r < partner.size(); ++r)
        if (partner[r] >= 0) pairs.emplace_back(hypothesis.names[hyp.source[partner[r]]], reference.names[ref.source[r]]);
    return pairs;
}

// --------------------------------------------------------------------------------------------- Jaccard error rate

// Turns as half-open ranges of frames: frame i belongs to a turn when start <= i * step < end. Only frames below `count` exist.
class Frames {
  public:
    Frames(double step, double end) : step_(step), count_(std::floor(end / step)) {}

    std::vector<Intervals> of(const std::vector<Intervals> &speakers) const {
        std::vector<Intervals> ranges;
        for (const Intervals &turns : speakers) {
            Intervals range;
            for (const Interval &turn : turns) {
                const Interval frames{first(turn.start), first(turn.end)};
                if (frames.start < frames.end) range.push_back(frames);
            }
            ranges.push_back(std::move(range));
        }
        return ranges;
    }

  private:
    // The first frame at or after `time`, by the very products i * step that a raster would compare with.
    double first(double time) const {
        double frame = std::ceil(time / step_);
        while ((frame - 1) * step_ >= time) --frame;
        while (frame * step_ < time) ++frame;
        return std::min(std::max(frame, 0.0), count_);
    }

    double step_, count_;
};

std::vector<double> lengths(const std::vector<Intervals> &speakers) {
    std::vector<double> sums;
    for (const Intervals &turns : speakers)
        sums.push_back(std::accumulate(turns.begin(), turns.end(), 0.0,
                                       [](double sum, const Interval &turn) { return sum + (turn.end - turn.start); }));
    return sums;
}

// Sum of the reference speakers' Jaccard errors, and their number.
std::pair<double, int> jer(const Turns &reference, const Turns &hypothesis, const Spans &regions, double step) {
    nb::gil_scoped_release release;
    const Intervals inside = unite(regions);
    if (inside.empty()) return {0.0, 0};
    const Frames frames(step, inside.back().end);
    const std::vector<Intervals> ref = frames.of(crop(reference, inside).speakers);
    const std::vector<Intervals> hyp = frames.of(crop(hypothesis, inside).speakers);

    const std::vector<double> ref_length = lengths(ref), hyp_length = lengths(hyp);
    std::vector<double> error = overlaps(Sweep(ref, hyp));
    for (std::size_t r = 0; r < ref.size(); ++r) {
        for (std::size_t h = 0; h < hyp.size(); ++h) {
            double &cell = error[r * hyp.size() + h];
            const double either = ref_length[r] + hyp_length[h] - cell;
            cell = either > 0 ? 1 - cell / either : 1;
        }
    }
    const std::vector<int> partner = parakh::solve(error.data(), static_cast<int>(ref.size()), static_cast<int>(hyp.size()));
    double sum = 0;
    for (std::size_t r = 0; r < ref.size(); ++r) sum += partner[r] >= 0 ? error[r * hyp.size() + partner[r]] : 1.0;
    return {sum, static_cast<int>(ref.size())};
}

}  // namespace

void bind_intervals(nb::module_ &m) {
    nb::class_<Turns>(m, "Turns", "The turns of one side of a recording, merged per speaker.")
        .def("__init__", [](Turns *self, const nb::object &segments) { new (self) Turns(read_turns(segments)); }, nb::arg("segments"))
        .def_ro("self_overlaps", &Turns::self_overlaps, "Turns that overlapped an earlier one of their speaker and were joined to it.")
        .def_prop_ro("extent", &extent, "[(first start, last end)] in seconds; [] without turns.");
    m.def("der", &der, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"), nb::arg("collar"), nb::arg("skip_overlap"),
          "Seconds of each kind of error and of what was scored, by name.");
    m.def("stretches", &stretches, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"), nb::arg("collar"),
          nb::arg("skip_overlap"), "Where the errors are: (start, end, 0 miss | 1 false alarm | 2 confusion, speakers), sorted.");
    m.def("mapping", &mapping, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"),
          "Pairs of hypothesis and reference speaker that maximise the overlap.");
    m.def("jer", &jer, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("regions"), nb::arg("step"),
          "Sum of the reference speakers' Jaccard errors, and their number.");
}

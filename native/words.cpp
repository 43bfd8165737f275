// Word errors of a session with several speakers: every pair of streams is compared, speakers are assigned one to one so
// that the errors are fewest, and the errors of the assigned pairs are counted.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "assignment.hpp"
#include "edit.hpp"
#include "forms.hpp"
#include "ingest.hpp"
#include "timed.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

struct Session {
    Session(nb::sequence reference_segments, nb::sequence hypothesis_segments, std::optional<double> collar) : timed(collar) {
        reference = read_streams(reference_segments, vocabulary, timed ? std::optional(Placement{}) : std::nullopt);
        hypothesis = read_streams(hypothesis_segments, vocabulary, timed ? std::optional(Placement{true, *collar}) : std::nullopt);
    }

    // The streams of a pair of speakers; a missing partner is an empty stream.
    std::pair<const Stream &, const Stream &> pair(int r, int h) const {
        return {r < static_cast<int>(reference.size()) ? reference[r] : nobody,
                h < static_cast<int>(hypothesis.size()) ? hypothesis[h] : nobody};
    }

    int errors(int r, int h) const {
        const auto [one, other] = pair(r, h);
        if (one.size() == 0 || other.size() == 0) return one.size() + other.size();
        return timed ? timed_counts(one, other).errors : EditTable(one.word, other.word, vocabulary.size()).errors();
    }

    Counts counts(int r, int h) const {
        const auto [one, other] = pair(r, h);
        if (one.size() == 0 || other.size() == 0) return {one.size() + other.size(), 0};
        if (timed) return timed_counts(one, other);
        EditTable table(one.word, other.word, vocabulary.size());
        const int errors = table.errors();
        return {errors, table.substitutions()};
    }

    std::vector<Step> steps(int r, int h) const {
        const auto [one, other] = pair(r, h);
        if (timed) return timed_steps(one, other);
        EditTable table(one.word, other.word, vocabulary.size());
        table.errors();
        std::vector<Step> steps;
        table.walk_back([&](const Step &step) { steps.push_back(step); });
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

    // Hypothesis speaker of each reference speaker, both padded to the greater number.
    std::vector<int> assignment() const {
        const int speakers = static_cast<int>(std::max(reference.size(), hypothesis.size()));
        std::vector<double> cost;
        cost.reserve(static_cast<std::size_t>(speakers) * speakers);
        for (int r = 0; r < speakers; ++r) {
            for (int h = 0; h < speakers; ++h) cost.push_back(errors(r, h));
        }
        return solve(cost.data(), speakers, speakers);
    }

    bool timed;
    Vocabulary vocabulary;
    std::vector<Stream> reference, hypothesis;
    Stream nobody;
};

int total_words(const std::vector<Stream> &streams) {
    int sum = 0;
    for (const Stream &stream : streams) sum += stream.size();
    return sum;
}

nb::tuple count_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) {
    const Session session(reference, hypothesis, collar);
    Counts sum;
    {
        nb::gil_scoped_release release;
        const std::vector<int> assigned = session.assignment();
        for (int r = 0; r < static_cast<int>(assigned.size()); ++r) {
            const Counts counts = session.counts(r, assigned[r]);
            sum.errors += counts.errors;
            sum.substitutions += counts.substitutions;
        }
    }
    return nb::make_tuple(sum.errors, sum.substitutions, total_words(session.reference), total_words(session.hypothesis),
                          session.reference.size(), session.hypothesis.size());
}

// Rows (reference segment, word in it, hypothesis segment, word in it) of one pair of streams; kNone for no word.
nb::object step_rows(const std::vector<Step> &steps, const Stream &reference, const Stream &hypothesis) {
    auto *rows = new std::vector<std::int32_t>();
    nb::capsule owner(rows, [](void *p) noexcept { delete static_cast<std::vector<std::int32_t> *>(p); });
    rows->reserve(steps.size() * 4);
    const auto place = [&](const Stream &stream, int index) {
        rows->push_back(index == kNone ? kNone : stream.segment[index]);
        rows->push_back(index == kNone ? kNone : stream.position[index]);
    };
    for (const Step &step : steps) {
        place(reference, step.reference);
        place(hypothesis, step.hypothesis);
    }
    return nb::cast(nb::ndarray<nb::numpy, std::int32_t>(rows->data(), {steps.size(), 4}, owner));
}

nb::list align_words(nb::sequence reference, nb::sequence hypothesis, std::optional<double> collar) {
    const Session session(reference, hypothesis, collar);
    std::vector<int> assigned;
    std::vector<std::vector<Step>> steps;
    {
        nb::gil_scoped_release release;
        assigned = session.assignment();
        for (int r = 0; r < static_cast<int>(assigned.size()); ++r) steps.push_back(session.steps(r, assigned[r]));
    }
    nb::list out;
    for (int r = 0; r < static_cast<int>(assigned.size()); ++r) {
        const auto [one, other] = session.pair(r, assigned[r]);
        const auto name = [](const Stream &stream) { return stream.speaker ? nb::borrow(stream.speaker) : nb::none(); };
        out.append(nb::make_tuple(name(one), name(other), step_rows(steps[r], one, other)));
    }
    return out;
}

nb::bytes number_text(nb::sequence texts, Vocabulary &vocabulary) {
    std::vector<std::int32_t> numbers;
    for (nb::handle text : texts) {
        split_words(text.ptr(), vocabulary, [&](std::int32_t number, int) { numbers.push_back(number); });
    }
    return nb::bytes(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(std::int32_t));
}

nb::tuple number_words(nb::sequence reference, nb::sequence hypothesis) {
    Vocabulary vocabulary;
    nb::bytes first = number_text(reference, vocabulary);
    return nb::make_tuple(first, number_text(hypothesis, vocabulary));
}

std::vector<int> choose_forms(const std::vector<std::vector<FormChoice::Units>> &segments, const FormChoice::Units &hypothesis) {
    nb::gil_scoped_release release;
    FormChoice choice(hypothesis);
    for (const auto &forms : segments) choice.append(forms);
    return choice.chosen();
}

}  // namespace
}  // namespace parakh

void bind_words(nb::module_ &m) {
    m.def("count_words", &parakh::count_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("align_words", &parakh::align_words, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("collar").none());
    m.def("choose_forms", &parakh::choose_forms, nb::arg("segments"), nb::arg("hypothesis"));
    m.def("number_words", &parakh::number_words, nb::arg("reference"), nb::arg("hypothesis"));
}

// Errors and steps of one stream of words, or of code points, against another.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <memory>
#include <vector>

#include "ingest.hpp"
#include "sequence.hpp"

namespace nb = nanobind;

namespace parakh {
namespace {

// Numbers code points in order of first appearance.
class CodePoints {
  public:
    CodePoints() : pages_(0x110000 >> 8) {}

    int size() const { return size_; }

    Symbol number(Py_UCS4 c) {
        auto &page = pages_[c >> 8];
        if (!page) page = std::make_unique<Page>();
        Symbol &symbol = (*page)[c & 0xFF];
        if (symbol == 0) symbol = ++size_;
        return symbol - 1;
    }

  private:
    using Page = std::array<Symbol, 256>;  // 0: not seen yet
    std::vector<std::unique_ptr<Page>> pages_;
    int size_ = 0;
};

// Two sequences of symbols below `alphabet`.
struct Streams {
    std::vector<Symbol> reference, hypothesis;
    int alphabet;

    std::vector<Step> steps() const {
        const Stretch first{reference.data(), static_cast<int>(reference.size())};
        return SequenceAlignment(first, {hypothesis.data(), static_cast<int>(hypothesis.size())}, alphabet).take_steps();
    }
};

// A space between words, whatever white space is there, at the ends of texts too.
template <class Unit>
void read_code_points(const Unit *text, Py_ssize_t size, CodePoints &numbers, std::vector<Symbol> &out) {
    bool inside = false;
    for (Py_ssize_t k = 0; k < size; ++k) {
        const bool space = is_space(text[k]);
        if (!space && !inside && !out.empty()) out.push_back(numbers.number(' '));
        if (!space) out.push_back(numbers.number(text[k]));
        inside = !space;
    }
}

std::vector<Symbol> characters(nb::sequence texts, CodePoints &numbers) {
    std::vector<Symbol> out;
    for (nb::handle text : texts) {
        PyObject *string = text.ptr();
        if (!PyUnicode_Check(string)) throw std::invalid_argument("words are not a string");
        const Py_ssize_t size = PyUnicode_GET_LENGTH(string);
        switch (PyUnicode_KIND(string)) {
            case PyUnicode_1BYTE_KIND: read_code_points(PyUnicode_1BYTE_DATA(string), size, numbers, out); break;
            case PyUnicode_2BYTE_KIND: read_code_points(PyUnicode_2BYTE_DATA(string), size, numbers, out); break;
            default: read_code_points(PyUnicode_4BYTE_DATA(string), size, numbers, out);
        }
    }
    return out;
}

std::vector<Symbol> words(nb::sequence texts, Vocabulary &vocabulary) {
    std::vector<Symbol> out;
    for (nb::handle text : texts) {
        split_words(text.ptr(), vocabulary, [&](Symbol number, int) { out.push_back(number); });
    }
    return out;
}

Streams read(nb::sequence reference, nb::sequence hypothesis, bool by_character) {
    Streams streams;
    if (by_character) {
        CodePoints numbers;
        streams.reference = characters(reference, numbers);
        streams.hypothesis = characters(hypothesis, numbers);
        streams.alphabet = numbers.size();
    } else {
        Vocabulary vocabulary;
        streams.reference = words(reference, vocabulary);
        streams.hypothesis = words(hypothesis, vocabulary);
        streams.alphabet = vocabulary.size();
    }
    return streams;
}

// Errors, substitutions, and the length of either side.
nb::tuple count_edits(nb::sequence reference, nb::sequence hypothesis, bool by_character) {
    const Streams streams = read(reference, hypothesis, by_character);
    Counts counts;
    {
        nb::gil_scoped_release release;
        for (const Step &step : streams.steps()) {
            const bool both = step.reference != kNone && step.hypothesis != kNone;
            if (both && streams.reference[step.reference] == streams.hypothesis[step.hypothesis]) continue;
            ++counts.errors;
            counts.substitutions += both;
        }
    }
    return nb::make_tuple(counts.errors, counts.substitutions, streams.reference.size(), streams.hypothesis.size());
}

// Rows of indices into either side, kNone where a side has nothing.
nb::object edit_steps(nb::sequence reference, nb::sequence hypothesis, bool by_character) {
    const Streams streams = read(reference, hypothesis, by_character);
    auto *rows = new std::vector<std::int32_t>();
    nb::capsule owner(rows, [](void *p) noexcept { delete static_cast<std::vector<std::int32_t> *>(p); });
    {
        nb::gil_scoped_release release;
        for (const Step &step : streams.steps()) rows->insert(rows->end(), {step.reference, step.hypothesis});
    }
    return nb::cast(nb::ndarray<nb::numpy, std::int32_t>(rows->data(), {rows->size() / 2, 2}, owner));
}

}  // namespace
}  // namespace parakh

void bind_sequence(nb::module_ &m) {
    m.def("count_edits", &parakh::count_edits, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("by_character"));
    m.def("edit_steps", &parakh::edit_steps, nb::arg("reference"), nb::arg("hypothesis"), nb::arg("by_character"));
}

// Plain lines of a table, read at once: most of any file. A line that is not plain is handed back for the reader in Python,
// which knows every case, so nothing is decided here but what the two decide alike. Objects are made in the loop: that is
// the purpose of this file, so it holds the GIL.
//
// Plain: the columns of a layout, no control character or other than plain blanks in a name, times as at most 15 decimal
// digits without sign or exponent, each at most 1e9, the end after the start, no sign in the words that the format gives a
// meaning.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "ingest.hpp"
#include "segments.hpp"

namespace parakh {
namespace {

constexpr std::int64_t kMostExact = std::int64_t{1} << 53;
constexpr int kMostDigits = 15;

std::int64_t power_of_ten(int exponent) {
    std::int64_t power = 1;
    while (exponent-- > 0) power *= 10;
    return power;
}

// digits / 10^places: both are exact in a double, so the quotient is the double nearest to the decimal, as in Python.
struct Decimal {
    std::int64_t digits = 0;
    int places = 0;

    double value() const { return static_cast<double>(digits) / static_cast<double>(power_of_ten(places)); }

    // Brings both to the same number of places and adds exactly; false where that takes too many digits.
    bool add(Decimal other) {
        if (places > other.places) std::swap(*this, other);
        const std::int64_t factor = power_of_ten(other.places - places);
        if (digits > kMostExact / factor) return false;
        digits = digits * factor + other.digits;
        places = other.places;
        return digits <= kMostExact;
    }
};

struct Column {
    enum Kind { kName, kTime, kDuration, kConfidenceOrNone, kLiteral, kRest } kind;
    int field;            // of the segment; kFields for a literal
    std::string literal;  // ASCII
};

struct Layout {
    std::vector<Column> columns;
    std::size_t least;  // columns that have to be there
    bool tabs;          // fields end at one tab; else at blanks and tabs
    std::string comments, odd;

    Layout(const std::vector<std::string> &names, std::size_t least, bool tabs, std::string comments, std::string odd)
        : least(least), tabs(tabs), comments(std::move(comments)), odd(std::move(odd)) {
        for (const std::string &name : names) columns.push_back(column(name, &name == &names.back()));
    }

    static Column column(const std::string &name, bool last) {
        if (name[0] == '=') return {Column::kLiteral, kFields, name.substr(1)};
        if (name == "duration") return {Column::kDuration, kEnd, ""};
        const int field = field_of(name.c_str());
        if (field == kStart || field == kEnd) return {Column::kTime, field, ""};
        if (field == kConfidence) return {Column::kConfidenceOrNone, field, ""};
        return {field == kWords && last ? Column::kRest : Column::kName, field, ""};
    }
};

template <class Unit>
struct Span {
    const Unit *first, *last;

    std::size_t size() const { return last - first; }
    bool equals(const std::string &text) const {
        return size() == text.size() && std::equal(first, last, text.begin(), [](Unit a, char b) { return a == Unit(b); });
    }
    bool holds_any(const std::string &signs) const {
        return std::any_of(first, last, [&](Unit c) { return c < 0x80 && signs.find(static_cast<char>(c)) != std::string::npos; });
    }
};

inline bool is_blank(Py_UCS4 c) { return c == ' ' || c == '\t'; }

// Which lines have been seen; keeps where they lie in the text, not what they hold.
template <class Unit>
class SeenLines {
  public:
    // Whether an equal line was there before.
    bool again(Span<Unit> line) {
        if (2 * lines_.size() >= slots_.size()) grow();
        const std::uint64_t hash = hash_of(line);
        std::size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1)) {
            const auto &[other_hash, other] = lines_[slots_[slot]];
            if (other_hash == hash && other.size() == line.size() && std::equal(line.first, line.last, other.first)) return true;
        }
        slots_[slot] = static_cast<std::int32_t>(lines_.size());
        lines_.emplace_back(hash, line);
        return false;
    }

  private:
    static constexpr std::int32_t kEmpty = -1;

    // Eight bytes at a time.
    static std::uint64_t hash_of(Span<Unit> line) {
        std::uint64_t hash = 0xCBF29CE484222325u ^ line.size();
        const char *at = reinterpret_cast<const char *>(line.first), *last = reinterpret_cast<const char *>(line.last);
        for (; at < last; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, at, std::min<std::ptrdiff_t>(8, last - at));
            hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 32;
        }
        return hash;
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), kEmpty);
        for (std::size_t k = 0; k < lines_.size(); ++k) {
            std::size_t slot = lines_[k].first & (slots_.size() - 1);
            while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<std::int32_t>(k);
        }
    }

    std::vector<std::int32_t> slots_;
    std::vector<std::pair<std::uint64_t, Span<Unit>>> lines_;
};

template <class Unit>
class Lines {
  public:
    Lines(const Unit *text, Py_ssize_t size, const Layout &layout, const SegmentMaker &maker)
        : at_(text), end_(text + size), layout_(layout), maker_(maker), none_(nb::none()), empty_(""), empty_tuple_(nb::make_tuple()) {}

    nb::list read() {
        nb::list out;
        for (std::int64_t number = 1; at_ <= end_; ++number) {
            const Span<Unit> line{at_, std::find(at_, end_, Unit('\n'))};
            at_ = line.last + 1;
            const Unit *start = std::find_if_not(line.first, line.last, [](Unit c) { return is_space(c); });
            if (start == line.last || Span<Unit>{start, start + 1}.holds_any(layout_.comments)) continue;
            const bool repeated = seen_.again(line);
            if (repeated || !segment(line)) {
                out.append(nb::make_tuple(number, text(line), repeated));
            } else {
                out.append(maker_.make(values()));
            }
        }
        return out;
    }

  private:
    // Reads a line into `words_`, `names_` and times; false if it is not plain.
    bool segment(Span<Unit> line) {
        for (PyObject *&name : found_) name = nullptr;
        const Unit *at = line.first;
        has_confidence_ = false;
        words_ = {line.last, line.last};
        for (std::size_t k = 0; k < layout_.columns.size(); ++k) {
            const Column &column = layout_.columns[k];
            const bool more = k == 0 || next(at, line.last);
            if (!more) return k >= layout_.least && is_sound();
            if (column.kind == Column::kRest) {
                words_ = {at, line.last};
                at = line.last;
                return !words_.holds_any(layout_.odd) && is_sound();
            }
            if (!take(column, field(at, line.last))) return false;
        }
        return std::all_of(at, line.last, is_blank) && !layout_.tabs && is_sound();
    }

    // Steps over what separates two fields; false at the end of the line.
    static bool next(const Unit *&at, const Unit *last) {
        if (at == last) return false;
        ++at;
        return true;
    }

    // The field at a place, which moves to its end.
    Span<Unit> field(const Unit *&at, const Unit *last) const {
        if (!layout_.tabs) at = std::find_if_not(at, last, is_blank);
        const Unit *first = at;
        at = layout_.tabs ? std::find(at, last, Unit('\t')) : std::find_if(at, last, is_blank);
        return {first, at};
    }

    bool take(const Column &column, Span<Unit> field) {
        switch (column.kind) {
            case Column::kName: return name(column.field, field);
            case Column::kLiteral: return field.equals(column.literal);
            case Column::kTime: return seconds(field, column.field == kStart ? start_ : stop_);
            case Column::kDuration: return seconds(field, stop_) && stop_.digits > 0 && stop_.add(start_);
            case Column::kConfidenceOrNone: return confidence(field);
            default: return false;
        }
    }

    bool name(int which, Span<Unit> field) {
        if (!field.size() || *field.first == '<') return false;
        if (is_space(*field.first) || is_space(*(field.last - 1))) return false;
        for (const Unit *c = field.first; c != field.last; ++c) {
            if (is_control(*c) || (!layout_.tabs && is_space(*c))) return false;
        }
        const std::size_t number = names_.number(field.first, field.size());
        if (number == objects_.size()) objects_.push_back(text(field));
        found_[which] = objects_[number].ptr();
        return true;
    }

    static bool seconds(Span<Unit> field, Decimal &out) { return decimal(field, out) && out.value() <= kMostSeconds; }

    bool confidence(Span<Unit> field) {
        if (field.equals("<NA>")) return true;
        has_confidence_ = true;
        return decimal(field, confidence_) && confidence_.value() <= 1;
    }

    static bool decimal(Span<Unit> field, Decimal &out) {
        out = {};
        int digits = 0;
        bool point = false;
        for (const Unit *c = field.first; c != field.last; ++c) {
            if (*c == '.' && !point) {
                point = true;
                continue;
            }
            if (*c < '0' || *c > '9' || ++digits > kMostDigits) return false;
            out.digits = out.digits * 10 + (*c - '0');
            out.places += point;
        }
        return digits > 0;
    }

    bool is_sound() const { return !times() || start_.value() < stop_.value(); }

    bool times() const {
        return std::any_of(layout_.columns.begin(), layout_.columns.end(), [](const Column &c) { return c.field == kEnd; });
    }

    const Values &values() {
        for (int field = 0; field < kFields; ++field) values_[field] = found_[field] ? found_[field] : none_.ptr();
        if (times()) {
            numbers_[0] = nb::float_(start_.value());
            numbers_[1] = nb::float_(stop_.value());
            values_[kStart] = numbers_[0].ptr();
            values_[kEnd] = numbers_[1].ptr();
        }
        if (has_confidence_) {
            numbers_[2] = nb::float_(confidence_.value());
            values_[kConfidence] = numbers_[2].ptr();
        }
        if (!found_[kWords]) {
            spoken_ = words_.size() ? text(words_) : nb::object(empty_);
            values_[kWords] = spoken_.ptr();
        }
        values_[kForms] = empty_tuple_.ptr();
        values_[kTimes] = empty_tuple_.ptr();
        return values_;
    }

    static nb::object text(Span<Unit> span) {
        PyObject *made = PyUnicode_FromKindAndData(sizeof(Unit), span.first, static_cast<Py_ssize_t>(span.size()));
        if (!made) throw nb::python_error();
        return nb::steal(made);
    }

    const Unit *at_, *end_;
    const Layout &layout_;
    const SegmentMaker &maker_;
    nb::object none_;
    nb::str empty_;
    nb::tuple empty_tuple_;
    SeenLines<Unit> seen_;
    Vocabulary names_;
    std::vector<nb::object> objects_;  // the string of each name
    Decimal start_, stop_, confidence_;
    bool has_confidence_ = false;
    Span<Unit> words_{};
    Values found_{}, values_{};
    nb::object spoken_;
    std::array<nb::object, 3> numbers_;
};

nb::list read_lines(nb::str text, nb::type_object segment, const std::vector<std::string> &columns, std::size_t least, bool tabs,
                    const std::string &comments, const std::string &odd) {
    const Layout layout(columns, least, tabs, comments, odd);
    const SegmentMaker maker(segment);
    const Py_ssize_t size = PyUnicode_GET_LENGTH(text.ptr());
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND: return Lines<Py_UCS1>(PyUnicode_1BYTE_DATA(text.ptr()), size, layout, maker).read();
        case PyUnicode_2BYTE_KIND: return Lines<Py_UCS2>(PyUnicode_2BYTE_DATA(text.ptr()), size, layout, maker).read();
        default: return Lines<Py_UCS4>(PyUnicode_4BYTE_DATA(text.ptr()), size, layout, maker).read();
    }
}

}  // namespace
}  // namespace parakh

void bind_lines(nanobind::module_ &m) {
    namespace nb = nanobind;
    m.def("read_lines", &parakh::read_lines, nb::arg("text"), nb::arg("segment"), nb::arg("columns"), nb::arg("least"),
          nb::arg("tabs"), nb::arg("comments"), nb::arg("odd"));
}

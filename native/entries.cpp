// Plain entries of a SegLST list, read at once; an entry that is not plain is left to the reader in Python, as in lines.cpp.
//
// Plain: only names, words and both times; names are not empty and without control characters, words and names without halves
// of surrogate pairs; times are numbers from 0 to 1e9, the end after the start.
#include "segments.hpp"

#include <vector>

namespace parakh {
namespace {

bool is_text(PyObject *value) {
    if (!PyUnicode_Check(value)) return false;
    if (PyUnicode_KIND(value) == PyUnicode_1BYTE_KIND) return true;
    const Py_ssize_t size = PyUnicode_GET_LENGTH(value);
    for (Py_ssize_t k = 0; k < size; ++k) {
        const Py_UCS4 c = PyUnicode_READ_CHAR(value, k);
        if (c >= 0xD800 && c <= 0xDFFF) return false;
    }
    return true;
}

bool is_name(PyObject *value) {
    if (!is_text(value) || PyUnicode_GET_LENGTH(value) == 0) return false;
    const Py_ssize_t size = PyUnicode_GET_LENGTH(value);
    for (Py_ssize_t k = 0; k < size; ++k) {
        if (is_control(PyUnicode_READ_CHAR(value, k))) return false;
    }
    return true;
}

class Entries {
  public:
    explicit Entries(nb::type_object segment) : maker_(segment), none_(nb::none()), empty_(""), empty_tuple_(nb::make_tuple()) {
        for (int field = 0; field < kConfidence; ++field) keys_.push_back(nb::steal(PyUnicode_InternFromString(kFieldNames[field])));
    }

    nb::list read(nb::list entries) {
        nb::list out;
        for (nb::handle entry : entries) out.append(is_plain(entry.ptr()) ? maker_.make(values_) : nb::none());
        return out;
    }

  private:
    bool is_plain(PyObject *entry) {
        if (!PyDict_CheckExact(entry)) return false;
        values_.fill(none_.ptr());
        values_[kWords] = empty_.ptr();
        values_[kForms] = empty_tuple_.ptr();
        values_[kTimes] = empty_tuple_.ptr();
        Py_ssize_t known = 0;
        for (int field = 0; field < kConfidence; ++field) {
            PyObject *value = PyDict_GetItemWithError(entry, keys_[field].ptr());
            if (!value) continue;
            ++known;
            if (field == kStart || field == kEnd) {
                if (!time(field, value)) return false;
            } else if (!(field == kWords ? is_text(value) : is_name(value))) {
                return false;
            } else {
                values_[field] = value;
            }
        }
        return known == PyDict_GET_SIZE(entry) && values_[kSession] != none_.ptr() && values_[kStart] != none_.ptr() &&
               values_[kEnd] != none_.ptr() && seconds_[0] < seconds_[1];
    }

    bool time(int field, PyObject *value) {
        if (!PyFloat_CheckExact(value)) return false;
        const double seconds = PyFloat_AS_DOUBLE(value);
        seconds_[field - kStart] = seconds;
        values_[field] = value;
        return seconds >= 0 && seconds <= kMostSeconds;
    }

    SegmentMaker maker_;
    nb::object none_;
    nb::str empty_;
    nb::tuple empty_tuple_;
    std::vector<nb::object> keys_;
    Values values_{};
    double seconds_[2]{};
};

nb::list read_entries(nb::list entries, nb::type_object segment) { return Entries(segment).read(entries); }

}  // namespace
}  // namespace parakh

void bind_entries(nanobind::module_ &m) {
    namespace nb = nanobind;
    m.def("read_entries", &parakh::read_entries, nb::arg("entries"), nb::arg("segment"));
}

// Makes segments from borrowed values, one for each field, without a call of their Python constructor.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <array>
#include <cstring>
#include <stdexcept>

namespace parakh {

namespace nb = nanobind;

enum Field { kSession, kSpeaker, kStart, kEnd, kWords, kRole, kLanguage, kSegment, kChannel, kConfidence, kForms, kTimes, kFields };

inline constexpr std::array<const char *, kFields> kFieldNames = {
    "session_id", "speaker", "start_time", "end_time", "words", "role", "language", "segment_id", "channel", "confidence", "forms", "word_times"};

constexpr double kMostSeconds = 1e9;  // as in formats/_text.py

inline bool is_control(Py_UCS4 c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

// The number of a field; kFields for a name that is none.
inline int field_of(const char *name) {
    int field = 0;
    while (field < kFields && std::strcmp(kFieldNames[field], name) != 0) ++field;
    return field;
}

using Values = std::array<PyObject *, kFields>;  // borrowed

// Fills the slots of a new instance directly, as `object.__setattr__` of a frozen dataclass does. Its values are text,
// numbers and tuples of text, so it is in no cycle, and the collector need not look at it.
class SegmentMaker {
  public:
    explicit SegmentMaker(nb::type_object type) : type_(reinterpret_cast<PyTypeObject *>(type.ptr())) {
        for (int field = 0; field < kFields; ++field) {
            const nb::object slot = type.attr(kFieldNames[field]);
            if (!Py_IS_TYPE(slot.ptr(), &PyMemberDescr_Type)) throw std::invalid_argument("segments without slots");
            const PyMemberDef *member = reinterpret_cast<PyMemberDescrObject *>(slot.ptr())->d_member;
            if (member->type != T_OBJECT_EX) throw std::invalid_argument("segments without slots for objects");
            offsets_[field] = member->offset;
        }
    }

    nb::object make(const Values &values) const {
        nb::object made = nb::steal(type_->tp_alloc(type_, 0));
        if (!made.is_valid()) throw nb::python_error();
        if (PyType_IS_GC(type_)) PyObject_GC_UnTrack(made.ptr());
        for (int field = 0; field < kFields; ++field) {
            Py_INCREF(values[field]);
            *reinterpret_cast<PyObject **>(reinterpret_cast<char *>(made.ptr()) + offsets_[field]) = values[field];
        }
        return made;
    }

  private:
    PyTypeObject *type_;
    std::array<Py_ssize_t, kFields> offsets_;
};

}  // namespace parakh

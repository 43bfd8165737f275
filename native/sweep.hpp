// One walk over the boundaries of both sides' turns, in seconds or in frames. Time and memory are linear in the number of
// turns, times the logarithm of the number of speakers.
#pragma once

#include "turns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace parakh::diarization {

struct Event {
    double time;
    int track;  // reference speakers, hypothesis speakers, the regions, the excluded time
    int step;   // +1 begins, -1 ends
    bool operator<(const Event &other) const { return time < other.time; }
};

// What is going on between two neighbouring boundaries.
struct Moment {
    double start, end;
    std::vector<int> reference, hypothesis;  // the speakers speaking, in no order
    std::vector<int> active;                 // per track: how many of its intervals are open
    double duration() const { return end - start; }
};

// Sides whose turns lie inside the regions.
class Sweep {
  public:
    Sweep(const std::vector<Intervals> &reference, const std::vector<Intervals> &hypothesis, const Intervals &regions)
        : reference_(static_cast<int>(reference.size())), hypothesis_(static_cast<int>(hypothesis.size())), runs_{0} {
        std::size_t intervals = regions.size();
        for (const Intervals &turns : reference) intervals += turns.size();
        for (const Intervals &turns : hypothesis) intervals += turns.size();
        events_.reserve(2 * intervals);
        int track = 0;
        for (const Intervals &turns : reference) add(turns, track++);
        for (const Intervals &turns : hypothesis) add(turns, track++);
        add(regions, track);
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

    // Calls visit(moment) for every stretch between boundaries inside the regions that is not excluded, in order of time.
    template <class Visit> void run(Visit visit) const {
        Moment now{0, 0, {}, {}, std::vector<int>(excluded() + 1, 0)};
        for (const Event &event : events_) {
            now.end = event.time;
            if (now.end > now.start && now.active[region()] > 0 && now.active[excluded()] == 0) visit(now);
            now.start = event.time;
            now.active[event.track] += event.step;
            if (event.track < reference_)
                toggle(now.reference, event.track, now.active[event.track]);
            else if (event.track < region())
                toggle(now.hypothesis, event.track - reference_, now.active[event.track]);
        }
    }

  private:
    int region() const { return reference_ + hypothesis_; }
    int excluded() const { return region() + 1; }

    void add(const Intervals &intervals, int track) {
        events_.resize(runs_.back() + 2 * intervals.size());
        Event *event = &events_[runs_.back()];
        for (const Interval &one : intervals) {
            *event++ = {one.start, track, +1};
            *event++ = {one.end, track, -1};
        }
        runs_.push_back(events_.size());
    }

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
        std::vector<Event> merged(events_.size());
        while (runs_.size() > 2) {
            std::vector<std::size_t> ends{0};
            for (std::size_t k = 1; k < runs_.size(); k += 2) {
                const std::size_t last = runs_[std::min(k + 1, runs_.size() - 1)];
                merge(&events_[0], runs_[k - 1], runs_[k], last, &merged[0]);
                ends.push_back(last);
            }
            runs_ = std::move(ends);
            events_.swap(merged);
        }
    }

    // Merges the runs [first, middle) and [middle, last) into the same places of `to`.
    static void merge(const Event *from, std::size_t first, std::size_t middle, std::size_t last, Event *to) {
        std::size_t left = first, right = middle, at = first;
        while (left < middle && right < last) {
            const bool later = from[right].time < from[left].time;
            to[at++] = from[later ? right : left];
            right += later;
            left += !later;
        }
        std::copy(from + left, from + middle, to + at);
        std::copy(from + right, from + last, to + at + (middle - left));
    }

    int reference_, hypothesis_;
    std::vector<Event> events_;
    std::vector<std::size_t> runs_;
};

// Seconds (or frames) in which reference speaker r and hypothesis speaker h both speak, row-major.
inline std::vector<double> overlaps(const Sweep &sweep) {
    const std::size_t columns = sweep.hypotheses();
    std::vector<double> together(sweep.references() * columns, 0.0);
    sweep.run([&](const Moment &now) {
        for (const int r : now.reference)
            for (const int h : now.hypothesis) together[r * columns + h] += now.duration();
    });
    return together;
}

// Seconds (or frames) in which each speaker speaks.
inline std::vector<double> lengths(const std::vector<Intervals> &speakers) {
    std::vector<double> sums;
    for (const Intervals &turns : speakers)
        sums.push_back(std::accumulate(turns.begin(), turns.end(), 0.0,
                                       [](double sum, const Interval &turn) { return sum + (turn.end - turn.start); }));
    return sums;
}

// Turns as half-open ranges of frames: frame i belongs to a turn when start <= i * step < end. Only frames below `count` exist.
class Frames {
  public:
    Frames(double step, double end) : step_(step), count_(std::floor(end / step)) {}

    Intervals of(const Intervals &turns) const {
        Intervals ranges;
        ranges.reserve(turns.size());
        for (const Interval &turn : turns) {
            const Interval frames{first(turn.start), first(turn.end)};
            if (frames.start < frames.end) ranges.push_back(frames);
        }
        return ranges;
    }

    std::vector<Intervals> of(const std::vector<Intervals> &speakers) const {
        std::vector<Intervals> ranges;
        for (const Intervals &turns : speakers) ranges.push_back(of(turns));
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

}  // namespace parakh::diarization

"""Measure the report of many long recordings: to write it, to open it in Chromium, and to scroll through it.

    python benchmarks/report_scale.py [--recordings 100] [--minutes 30] [--out FOLDER] [--kept]

Makes conversations in Hindi of two or three people (words as frequent as in talk, 2.8 a second), a system's answers with one word
in five wrong and turns cut elsewhere, topics and summaries; scores the four tracks with detail; runs ``parakh report`` on the
results files; opens the page. A frame that takes more than 50 ms is told. ``--kept`` measures results made before.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from conversation import Word, said

from parakh import tracks
from parakh.evaluate import evaluate
from parakh.files import write_atomic
from parakh.types import Recording, Segment, Summary, Topics

WORDS_A_SECOND = 2.8
WRONG = 0.2
PROBLEMS = ["Fever", "Cough", "Anaemia", "Headache", "Diarrhoea", "Hypertension", "Fatigue", "Vomiting", "Rash", "Wheezing"]
SCROLLS = """async ([selector, distance]) => {
  const box = selector ? document.querySelector(selector) : document.scrollingElement, late = [];
  let last = await new Promise(requestAnimationFrame), worst = 0, frames = 0;
  for (let gone = 0; gone < distance; gone += 120) {
    box.scrollTop += 120;
    const now = await new Promise(requestAnimationFrame);
    if (now - last > 50) late.push(Math.round(now - last));
    worst = Math.max(worst, now - last); last = now; frames += 1;
  }
  return { frames, late: late.length, worst: Math.round(worst) };
}"""


def conversation(name: str, minutes: float, draw: random.Random) -> list[Segment]:
    """Turns of two or three people, some of which begin before the last one has ended."""
    people = ["health_worker", "patient", "relative"][: draw.choice([2, 2, 3])]
    turns: list[Segment] = []
    at, who = 0.5, people[0]
    while at < 60 * minutes:
        words = said(draw, max(1, round(draw.expovariate(1 / 9))))
        end = at + len(words) / WORDS_A_SECOND
        turns.append(Segment(name, who, round(at, 3), round(end, 3), " ".join(word.native for word in words), language="hi"))
        at = max(turns[-1].start_time or 0.0, end + draw.gauss(0.2, 0.4))
        who = draw.choice([person for person in people if person != who])
    return turns


def answer(turns: list[Segment], draw: random.Random) -> list[Segment]:
    """What a system made of them."""
    heard = []
    for turn in turns:
        if draw.random() < 0.03:
            continue
        words = [part for word in (turn.words or "").split() for part in misheard(word, draw)]
        start, end = (max(0.0, at + draw.gauss(0, 0.15)) for at in (turn.start_time or 0.0, turn.end_time or 0.0))
        who = turn.speaker if draw.random() > 0.03 else "patient"
        heard.append(
            replace(
                turn,
                speaker=f"S-{who}",
                start_time=round(start, 3),
                end_time=round(max(start + 0.1, end), 3),
                words=" ".join(words),
            )
        )
    return heard


def misheard(word: str, draw: random.Random) -> list[str]:
    luck = draw.random() / WRONG
    other: list[Word] = said(draw, 1) if luck < 1 else []
    if luck >= 1:
        return [word]
    return [other[0].native] if luck < 0.6 else [] if luck < 0.85 else [word, other[0].native]


def make(count: int, minutes: float, out: Path) -> None:
    """Score what a system answered to so many conversations."""
    draw = random.Random(1)
    names = [f"visit_{k:03}" for k in range(count)]
    talk = {name: conversation(name, minutes, draw) for name in names}
    heard = {name: answer(turns, draw) for name, turns in talk.items()}
    topics = [Topics(name, tuple(draw.sample(PROBLEMS, 4))) for name in names]
    guessed = [Topics(name, tuple(draw.sample(PROBLEMS, 4))) for name in names]
    summaries = [Summary(name, " ".join(word.native for word in said(draw, 150))) for name in names]
    written = [
        replace(one, text=" ".join(part for word in one.text.split() for part in misheard(word, draw))) for one in summaries
    ]
    recordings = [
        Recording(name, metadata={"language": "hi", "place": draw.choice(["home", "clinic", "camp"])}) for name in names
    ]
    turns, answers = [turn for one in talk.values() for turn in one], [turn for one in heard.values() for turn in one]
    given: dict[str, tuple[Any, Any]] = {
        "diarization": (turns, answers),
        "asr": (turns, answers),
        "topics": (topics, guessed),
        "summarization": (summaries, written),
    }
    for track, (reference, hypothesis) in given.items():
        start = time.perf_counter()
        metrics = ["tcpwer", "wer"] if track == "asr" else None
        found = evaluate(
            tracks.get(track),
            reference,
            hypothesis,
            system="made",
            recordings=recordings,
            slice_by=["place"],
            detail=True,
            metrics=metrics,
        )
        write_atomic(out / f"{track}.json", found.to_json())
        print(
            f"scored {track}: {time.perf_counter() - start:.1f} s, {(out / f'{track}.json').stat().st_size / 1e6:.0f} MB",
            flush=True,
        )


def write(out: Path, *options: str) -> Path:
    """Run ``parakh report`` and tell what it took."""
    page = out / "report.html"
    files = [str(out / f"{track}.json") for track in ("diarization", "asr", "topics", "summarization")]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "parakh.cli.main", "report", *files, "--out", str(page), *options], check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wall, size = time.perf_counter() - start, page.stat().st_size / 1e6
    print(f"written: {wall:.1f} s, {cpu:.1f} CPU s, {after.ru_maxrss / 1e3:.0f} MB; {size:.2f} MB", flush=True)
    return page


def look(page: Path) -> None:
    """Open the page, scroll through it, open a recording and scroll through that."""
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        start = time.perf_counter()
        tab.goto(page.as_uri(), wait_until="commit")
        tab.wait_for_selector(".tools input")
        print(f"usable: {time.perf_counter() - start:.2f} s; {tab.evaluate('document.querySelectorAll(`*`).length')} elements")
        print("table:", tab.evaluate(SCROLLS, ["#table .wide", 5000]))
        start = time.perf_counter()
        tab.locator("#recordings-table tbody th a").first.click()
        tab.wait_for_selector("article .timeline")
        print(f"opened a recording: {time.perf_counter() - start:.2f} s")
        print("its transcript:", tab.evaluate(SCROLLS, ["article .transcript", 30_000]))
        print("the page:", tab.evaluate(SCROLLS, ["", 6000]))
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recordings", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--out", type=Path, default=Path("report-scale"))
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--limit", default="3MB")
    given = parser.parse_args()
    if not given.kept:
        given.out.mkdir(parents=True, exist_ok=True)
        make(given.recordings, given.minutes, given.out)
    look(write(given.out, "--limit", given.limit))


if __name__ == "__main__":
    main()

"""The check of a submission."""

import ast
import inspect
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from parakh import formats
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.validation import check
from parakh.types import Recording, Segment, Summary, Topics

EXAMPLES = Path(__file__).parents[2] / "examples"


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def folder(name: str, under: str = "") -> dict[str, bytes]:
    return {f"{under}{path.name}": path.read_bytes() for path in sorted((EXAMPLES / name).iterdir())}


@pytest.mark.parametrize(
    ("track", "source", "count"), [("diarization", "rttm", 116), ("asr", "transcripts", 111), ("diarization", "transcripts", 111)]
)
def test_a_folder_of_answers_is_fine(track: str, source: str, count: int, kits: dict[str, Kit], tmp_path: Path) -> None:
    junk = {"__MACOSX/top/._x.rttm": b"\0\1", "top/.DS_Store": b"\0", "top/Thumbs.db": b"\0", "top/README.md": b"# Ours"}
    checked = check(packed(tmp_path / "a.zip", {**folder(source, "top/"), **junk}), kits[track])
    assert (len(checked.items), checked.faults) == (count, ())
    assert [one.message for one in checked.findings] == ["1 file passed over: top/README.md"]


@pytest.mark.parametrize(("track", "name"), [("topics", "topics.csv"), ("summarization", "summaries.csv")])
def test_one_file_is_fine(track: str, name: str, kits: dict[str, Kit], tmp_path: Path) -> None:
    (tmp_path / "blob").write_bytes((EXAMPLES / name).read_bytes())
    assert len(check(tmp_path / "blob", kits[track], file_name=name).items) == 4


def told(path: Path, kit: Kit, name: str | None = None) -> str:
    checked = check(path, kit, name)
    assert (checked.items == ()) == bool(checked.faults)
    return "\n".join(map(str, checked.faults))


def text(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_a_file_without_turns_is_an_answer_and_a_missing_one_is_not(kits: dict[str, Kit], tmp_path: Path) -> None:
    files = folder("rttm")
    files["kn_fever_04.rttm"] = b"\xef\xbb\xbf \n"
    checked = check(packed(tmp_path / "a.zip", files), kits["diarization"])
    assert (checked.faults, len(checked.items)) == ((), 89)
    del files["kn_fever_04.rttm"]
    assert told(packed(tmp_path / "b.zip", files), kits["diarization"]) == (
        "submission: found no answer to 'kn_fever_04', expected an answer to each of the 4 recordings. Add it."
    )


def test_faults_of_all_files_come_with_name_and_line(kits: dict[str, Kit], tmp_path: Path) -> None:
    files = folder("rttm", "pred/")
    files["pred/hi_anc_01.rttm"] += b"SPEAKER hi_anc_01 1 x 2 <NA> <NA> a <NA> <NA>\n"
    files["pred/kn_fever_04.rttm"] = b"SPEAKER kn_fever_04 1 0\n"
    lines = told(packed(tmp_path / "a.zip", files), kits["diarization"]).split("\n")
    assert [line.partition(": found")[0] for line in lines] == ["pred/hi_anc_01.rttm:29: onset", "pred/kn_fever_04.rttm:1"]


def test_formats_that_the_track_names_are_the_only_ones(kits: dict[str, Kit], tmp_path: Path) -> None:
    kit = replace(kits["diarization"], track_rules=replace(kits["diarization"].track_rules, formats=("rttm",)))
    assert told(packed(tmp_path / "a.zip", folder("rttm")), kit) == ""
    assert "hi_anc_01.txt: found the format challenge-tsv, expected rttm." in told(
        packed(tmp_path / "b.zip", folder("transcripts")), kit
    )


def test_plain_text_of_a_recording_is_told_from_keyed_text_by_its_name(kits: dict[str, Kit], tmp_path: Path) -> None:
    rules = replace(
        kits["asr"].track_rules, metric_set=replace(kits["asr"].track_rules.metric_set, metrics=("wer",), rank_by="wer")
    )
    kit = replace(kits["asr"], track_rules=rules)
    names = [one.session_id for one in kit.recordings]
    plain = check(packed(tmp_path / "a.zip", {f"{name}.txt": "नमस्ते दीदी".encode() for name in names}), kit)
    assert (plain.faults, {one.words for one in plain.items}) == ((), {"नमस्ते दीदी"})
    keyed = check(text(tmp_path / "all.txt", "".join(f"{name} नमस्ते दीदी\n" for name in names)), kit)
    assert (keyed.faults, {one.words for one in keyed.items}) == ((), {"नमस्ते दीदी"})


def test_words_without_times_are_told_who_needs_them(kits: dict[str, Kit], tmp_path: Path) -> None:
    keyed = text(tmp_path / "all.txt", "".join(f"{one.session_id} नमस्ते\n" for one in kits["asr"].recordings))
    lines = told(keyed, kits["asr"])
    assert "all.txt:1: speaker: found no speaker in 4 of 4 segments, expected it in every one: tcpwer needs it." in lines
    assert "all.txt:1: start_time: found no times in 4 of 4 segments" in lines


def test_late_turns_and_empty_words_are_noticed(kits: dict[str, Kit], tmp_path: Path) -> None:
    stm = "".join(f"{one.session_id} 1 a 0 2 नमस्ते\n{one.session_id} 1 a 70 99 \n" for one in kits["asr"].recordings)
    checked = check(text(tmp_path / "a.stm", stm), kits["asr"])
    assert checked.faults == ()
    assert "a.stm:2: warning after-end: 1 turn past the end of the recording, which lasts 78.544 s" in map(str, checked.findings)
    assert "a.stm:2: warning empty-words: 1 turn without words: nothing of it counts" in map(str, checked.findings)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("hi_anc_01.Mix-Headset", "Did you mean 'hi_anc_01'? Take '.Mix-Headset' off."),
        ("ES_hi_anc_01", "Did you mean 'hi_anc_01'? Take 'ES_' off."),
        ("hi_anc_1", "Did you mean 'hi_anc_01'?"),
        ("visit", "Take it out."),
    ],
)
def test_a_strange_id_is_told_which_was_meant(given: str, hint: str, kits: dict[str, Kit], tmp_path: Path) -> None:
    lines = "rec_id,gt_topics\n" + "".join(f"{one.session_id},Fever\n" for one in kits["topics"].recordings[1:])
    assert hint in told(text(tmp_path / "t.csv", f"{lines}{given},Fever\n"), kits["topics"])


def test_ids_composed_otherwise_are_told(kits: dict[str, Kit], tmp_path: Path) -> None:
    kit = replace(kits["topics"], recordings=(Recording("caf\u00e9"),))
    assert "Unicode NFC and NFD" in told(text(tmp_path / "t.csv", "rec_id,gt_topics\ncafe\u0301,Fever\n"), kit)


def test_other_answers_in_the_archive_are_passed_over(kits: dict[str, Kit], tmp_path: Path) -> None:
    files = {**folder("rttm"), "topics.csv": (EXAMPLES / "topics.csv").read_bytes(), "notes": b"\0"}
    checked = check(
        packed(tmp_path / "a.zip", {name: data for name, data in files.items() if name != "notes"}), kits["diarization"]
    )
    assert (checked.faults, [one.message for one in checked.findings]) == ((), ["1 file passed over: topics.csv"])


def test_a_utf16_textgrid_is_read(kits: dict[str, Kit], tmp_path: Path) -> None:
    grids = tmp_path / "grids"
    items = formats.load(EXAMPLES / "transcripts", Segment).items
    formats.write_each(items, grids, "textgrid")
    wide = {path.name: path.read_text(encoding="utf-8").encode("utf-16") for path in grids.iterdir()}
    checked = check(packed(tmp_path / "a.zip", wide), kits["asr"])
    assert (checked.faults, len(checked.items)) == ((), len(items))


def test_it_neither_reads_nor_knows_a_reference(kits: dict[str, Kit], tmp_path: Path) -> None:
    """The same answer whether the references are on this machine or not: only the kit is asked."""
    kit = Kit.from_json(kits["diarization"].to_json())
    script = "import sys; from pathlib import Path; from parakh.leaderboard.kit import Kit; from parakh.leaderboard.validation import check\n"
    script += "check(Path(sys.argv[1]), Kit.load(sys.argv[2])); print(*sys.modules)"
    kit_file = text(tmp_path / "kit.json", kit.to_json())
    done = subprocess.run(
        [sys.executable, "-c", script, packed(tmp_path / "a.zip", folder("rttm")), kit_file],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"sqlalchemy", "fastapi", "parakh.leaderboard.references", "parakh.evaluate"}


def test_only_formats_that_say_so_lead_to_other_files() -> None:
    """A reader that does not declare to follow paths has nothing in it that could: it opens what it is given, and that is all."""
    leading = {"open", "is_file", "exists", "glob", "iterdir", "read_bytes", "resolve", "joinpath"}
    for form in formats.all_formats().values():
        if form.item not in (Segment, Topics, Summary) or form.follows_paths:
            continue
        tree = ast.parse(Path(inspect.getfile(form.read)).read_text(encoding="utf-8"))
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)}
        called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not (used & leading) | (called & {"open", "Path"}), form.name
        assert not form.folder, form.name
    assert {name for name, form in formats.all_formats().items() if form.follows_paths} == {"kaldi", "nemo"}

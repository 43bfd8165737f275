"""What strangers send, by intent or by accident: archives and files made by code, each with the words of the message it has to get.

Every one is for the track ``diarization`` of the phase ``eval`` of the example challenge unless it says otherwise. None may be
accepted, none may leave anything outside, and whatever takes them has to be alive after each.
"""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.service.raw_zip import Raw, quoted_bomb, raw_zip

RTTM = Path(__file__).parents[2] / "examples" / "rttm"
IDS = ("hi_anc_01", "hi_child_02", "hi_elder_03", "kn_fever_04")


@dataclass(frozen=True)
class Case:
    """One submission that has to be refused.

    Args:
        file_name: As its maker calls it.
        content: Makes it.
        expected: Words that its message has to have, each.
        track: The track that it is handed in to.
    """

    file_name: str
    content: Callable[[], bytes]
    expected: tuple[str, ...]
    track: str = "diarization"


def turn(session: str, start: str = "0", length: str = "2", speaker: str = "a") -> str:
    return f"SPEAKER {session} 1 {start} {length} <NA> <NA> {speaker} <NA> <NA>\n"


TURN = turn("hi_anc_01").encode()


@functools.cache
def good() -> dict[str, bytes]:
    """A submission without fault: a file a recording."""
    return {path.name: path.read_bytes() for path in sorted(RTTM.iterdir())}


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def tarred(
    *entries: tuple[str, bytes, bytes], link: str = "", fields: Mapping[str, str] | None = None, mode: str = "w:gz"
) -> bytes:
    """A tar of (name, type, content)."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode, pax_headers=fields) as archive:  # type: ignore[call-overload]
        for name, kind, content in entries:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(content), link
            archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


def one(*entries: Raw, rest: bool = True) -> bytes:
    """A zip of strange entries, among the files of a good submission."""
    return raw_zip([*entries, *(Raw(name.encode(), data) for name, data in good().items() if rest)])


def many(suffix: str) -> bytes:
    if suffix == "zip":
        return zipped({f"{place}.rttm": b"" for place in range(10_000)})
    block = tarfile.TarInfo("v.rttm").tobuf()
    return gzip.compress(block * 10_000 + bytes(1024), 1)


def patched(content: bytes, at: int, by: bytes) -> bytes:
    place = at % len(content)
    return content[:place] + by + content[place + len(by) :]


def spoilt() -> bytes:
    """A good archive with one byte of a packed content changed."""
    content = zipped(good())
    return patched(content, 200, bytes([content[200] ^ 0x55]))


def sparse() -> bytes:
    info = tarfile.TarInfo("v1.rttm")
    info.type, info.size = tarfile.GNUTYPE_SPARSE, 512
    block = patched(info.tobuf(tarfile.GNU_FORMAT), 386, b"00000000000\x00" + b"00000001000\x00")
    block = patched(block, 483, b"00000001000\x00")
    block = patched(block, 148, f"{sum(block[:148]) + 256 + sum(block[156:]):06o}\0 ".encode())
    return gzip.compress(block + TURN.ljust(512, b"\0") + bytes(1024))


def fields_bomb() -> bytes:
    return tarred(("v1.rttm", tarfile.REGTYPE, TURN), fields={"comment": "x" * (3 << 20)})


def _names(named: Mapping[str, tuple[bytes, str]], flags: int = 0x800) -> dict[str, Case]:
    return {
        f"name-{case}": Case("a.zip", functools.partial(one, Raw(name, TURN, flags=flags)), (words,))
        for case, (name, words) in named.items()
    }


_INSIDE = "a path inside the archive"
NAMES = _names(
    {
        "traversal": (b"../v1.rttm", "leads outside the archive"),
        "traversal-inside": (b"a/../../v1.rttm", "leads outside the archive"),
        "traversal-junk": (b"__MACOSX/../../v1.rttm", "leads outside the archive"),
        "absolute": (b"/tmp/v1.rttm", f"an absolute path, expected {_INSIDE}"),
        "drive": (b"C:/v1.rttm", "an absolute path"),
        "drive-relative": (b"c:v1.rttm", "an absolute path"),
        "backslash": (b"..\\v1.rttm", "backslashes"),
        "share": (b"\\\\server\\v1.rttm", "backslashes"),
        "nul": (b"v1.rttm\0.txt", "control characters"),
        "escape": (b"\x1b[2Jv1.rttm", "control characters"),
        "line-end": (b"v1\nv2.rttm", "control characters"),
        "turned-around": ("v1\u202emttr.rttm".encode(), "control characters"),
        "blank": (b" v1.rttm", "blanks around"),
        "dots": (b"a/./v1.rttm", "an empty part or a dot"),
        "double-slash": (b"a//v1.rttm", "an empty part or a dot"),
        "none": (b"", "no name"),
        "long": (b"v" * 300 + b".rttm", "too long"),
        "long-bytes": ("क".encode() * 100 + b".rttm", "too long"),
        "deep": (b"a/" * 30 + b"v1.rttm", "too long"),
        "twice": (b"hi_anc_01.rttm", "the name of another entry"),
        "case": (b"HI_anc_01.rttm", "the name of another entry"),
        "file-and-folder": (b"hi_anc_01.rttm/v1.rttm", "the name of another entry"),
        "no-utf8": (b"\xff\xfe.rttm", "a name that is not UTF-8"),
    }
)
FORMS = {
    "zip-same-letters": Case(
        "a.zip",
        lambda: one(Raw("v\u00e9.rttm".encode(), TURN, flags=0x800), Raw("ve\u0301.rttm".encode(), TURN, flags=0x800)),
        ("the name of another entry",),
    ),
    "zip-link": Case("a.zip", lambda: one(Raw(b"v1.rttm", b"/etc/passwd", mode=0o120777)), ("v1.rttm: found a link",)),
    "zip-device": Case("a.zip", lambda: one(Raw(b"v1.rttm", b"", mode=0o020666)), ("found a device or pipe",)),
    "zip-pipe": Case("a.zip", lambda: one(Raw(b"v1.rttm", b"", mode=0o010666)), ("found a device or pipe",)),
    "zip-encrypted": Case("a.zip", lambda: one(Raw(b"v1.rttm", TURN, flags=1)), ("an encrypted file", "without a password")),
    "zip-bzip2": Case("a.zip", lambda: zipped(good(), zipfile.ZIP_BZIP2), ("packed with method 12", "deflate")),
    "zip-lzma": Case("a.zip", lambda: zipped(good(), zipfile.ZIP_LZMA), ("packed with method 14", "deflate")),
    "zip-in-zip": Case("a.zip", lambda: zipped({"inner.zip": zipped(good())}), ("inner.zip: found a zip archive",)),
    "tar-in-zip": Case(
        "a.zip", lambda: zipped({"a.tar": tarred(("v1.rttm", tarfile.REGTYPE, TURN), mode="w")}), ("a tar archive",)
    ),
    "gzip-in-zip": Case("a.zip", lambda: zipped({"v1.rttm": gzip.compress(TURN)}), ("v1.rttm: found a file packed with gzip",)),
    "7z-in-zip": Case("a.zip", lambda: zipped({"v1.7z": b"7z\xbc\xaf\x27\x1c\0\4"}), ("a 7z archive",)),
    "zip-10000-files": Case("a.zip", lambda: many("zip"), ("more than 5000 entries",)),
    "tgz-10000-files": Case("a.tgz", lambda: many("tgz"), ("more than 5000 entries",)),
    "zip-bomb": Case("a.zip", lambda: zipped({"v1.rttm": bytes(64 << 20)}), ("unpacks to more than 200 times its size",)),
    "gzip-bomb": Case("v1.rttm.gz", lambda: gzip.compress(bytes(64 << 20)), ("unpacks to more than 200 times its size",)),
    "tgz-bomb": Case(
        "a.tgz", lambda: tarred(("v1.rttm", tarfile.REGTYPE, bytes(64 << 20))), ("more bytes than an archive may have",)
    ),
    "zip-quoted-bomb": Case("a.zip", lambda: quoted_bomb(50, 1 << 20), ("shares its bytes with another",)),
    "zip-same-content-twice": Case(
        "a.zip", lambda: raw_zip([Raw(b"a.rttm", TURN), Raw(b"a.rttm", TURN, at=0)]), ("the name of another entry",)
    ),
    "zip-one-content-two-names": Case(
        "a.zip", lambda: raw_zip([Raw(b"a.rttm", TURN), Raw(b"b.rttm", TURN, at=0)]), ("shares its bytes with another",)
    ),
    "zip-says-less": Case("a.zip", lambda: one(Raw(b"v1.rttm", TURN * 1000, size=10)), ("v1.rttm: found a damaged file",)),
    "zip-says-more": Case("a.zip", lambda: one(Raw(b"v1.rttm", TURN, size=9999)), ("9999, as the archive says",)),
    "zip-says-huge": Case("a.zip", lambda: one(Raw(b"v1.rttm", TURN, size=3 << 30)), ("at most 256 MiB",)),
    "zip-other-name-inside": Case("a.zip", lambda: one(Raw(b"v1.rttm", TURN, local_name=b"v2.rttm")), ("damaged file",)),
    "zip-wrong-checksum": Case("a.zip", lambda: one(Raw(b"v1.rttm", TURN, crc=1)), ("damaged file", "CRC")),
    "zip-spoilt": Case("a.zip", spoilt, ("a damaged file",)),
    "zip-beyond-its-end": Case("a.zip", lambda: one(Raw(b"v1.rttm", TURN, packed_size=1 << 20)), ("shares its bytes",)),
    "zip-starts-outside": Case("a.zip", lambda: raw_zip([Raw(b"v1.rttm", TURN, at=1 << 30)]), ("shares its bytes with another",)),
    "zip-cut-off": Case("a.zip", lambda: zipped(good())[:-30], ("cut off",)),
    "zip-front-only": Case("a.zip", lambda: zipped(good())[:1000], ("cut off",)),
    "zip-front-missing": Case("a.zip", lambda: zipped(good())[:4] + zipped(good())[600:], ("starts before the archive",)),
    "zip-64-bit": Case("a.zip", lambda: raw_zip([Raw(b"v1.rttm", TURN)], count=0xFFFF), ("the 64-bit form",)),
    "zip-64-bit-hidden": Case(
        "a.zip", lambda: raw_zip([Raw(b"v1.rttm", TURN)], before_end=b"PK\6\7" + bytes(16)), ("the 64-bit form",)
    ),
    "zip-long-directory": Case("a.zip", lambda: raw_zip([Raw(b"v1.rttm", TURN)], length=1 << 28), ("more than 5000 entries",)),
    "zip-says-one-of-many": Case(
        "a.zip",
        lambda: raw_zip([Raw(f"{place}.rttm".encode(), b"") for place in range(6000)], count=1),
        ("more than 5000 entries",),
    ),
    "zip-without-files": Case("a.zip", lambda: zipped({}), ("without files",)),
    "zip-of-leftovers": Case("a.zip", lambda: zipped({"__MACOSX/._v1.rttm": TURN, ".DS_Store": b"x"}), ("without files",)),
    "tar-link": Case("a.tgz", lambda: tarred(("v1.rttm", tarfile.SYMTYPE, b""), link="/etc/passwd"), ("v1.rttm: found a link",)),
    "tar-hard-link": Case("a.tgz", lambda: tarred(("v1.rttm", tarfile.LNKTYPE, b""), link="/etc/passwd"), ("found a link",)),
    "tar-device": Case("a.tar.gz", lambda: tarred(("v1.rttm", tarfile.CHRTYPE, b"")), ("a device or pipe",)),
    "tar-pipe": Case("a.tar", lambda: tarred(("v1.rttm", tarfile.FIFOTYPE, b""), mode="w"), ("a device or pipe",)),
    "tar-sparse": Case("a.tgz", sparse, ("a sparse file",)),
    "tar-traversal": Case("a.tgz", lambda: tarred(("../v1.rttm", tarfile.REGTYPE, TURN)), ("leads outside",)),
    "tar-absolute": Case("a.tgz", lambda: tarred(("/tmp/v1.rttm", tarfile.REGTYPE, TURN)), ("an absolute path",)),
    "tar-fields-bomb": Case("a.tgz", fields_bomb, ("more bytes than an archive may have",)),
    "tar-cut-off": Case(
        "a.tar", lambda: tarred(("v1.rttm", tarfile.REGTYPE, TURN * 100), mode="w")[:2000], ("a tar archive that is",)
    ),
    "tgz-cut-off": Case("a.tgz", lambda: tarred(("v1.rttm", tarfile.REGTYPE, TURN * 100))[:-20], ("a tar archive that is",)),
    "tar-broken-header": Case(
        "a.tar",
        lambda: patched(tarred(("a.rttm", tarfile.REGTYPE, TURN), ("b.rttm", tarfile.REGTYPE, TURN), mode="w"), 1100, b"spoilt"),
        ("a tar archive that is",),
    ),
    "gzip-cut-off": Case("v1.rttm.gz", lambda: gzip.compress(TURN * 1000)[:-8], ("cut off",)),
    "gzip-damaged": Case("v1.rttm.gz", lambda: patched(gzip.compress(TURN * 1000), -6, b"xx"), ("a damaged gzip file",)),
    "bzip2": Case("a.tar.bz2", lambda: bz2.compress(TURN), ("packed with bzip2", "expected a zip, a tar.gz or a single file")),
    "xz": Case("a.tar.xz", lambda: lzma.compress(TURN), ("packed with xz", "a zip, a tar.gz")),
    "rar": Case("a.rar", lambda: b"Rar!\x1a\x07\x00" + bytes(100), ("a rar archive", "a zip, a tar.gz")),
}


def with_files(**files: str | bytes) -> Callable[[], bytes]:
    """The good submission with some files more or others; "__" stands for a dot."""

    def made() -> bytes:
        own = {name.replace("__", "."): text if isinstance(text, bytes) else text.encode() for name, text in files.items()}
        return zipped({**good(), **own})

    return made


def alone(text: str | bytes) -> Callable[[], bytes]:
    return lambda: text if isinstance(text, bytes) else text.encode()


ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><ANNOTATION_DOCUMENT>&e;</ANNOTATION_DOCUMENT>'
)
MANIFEST = json.dumps({"audio_filepath": "hi_anc_01.wav", "label": "infer", "text": "-", "rttm_filepath": "/etc/passwd"})
FILES = {
    "empty": Case("v1.rttm", alone(""), ("no answer to 'hi_anc_01'", "no answer to 'kn_fever_04'")),
    "binary": Case("v1.rttm", alone(bytes(range(256)) * 20), ("v1.rttm", "NUL byte")),
    "utf-16": Case("v1.rttm", alone(turn("hi_anc_01").encode("utf-16")), ("UTF-16",)),
    "latin-1": Case("v1.rttm", alone(turn("hi_anc_01", speaker="é").encode("latin-1")), ("not UTF-8",)),
    "pdf": Case("v1.rttm", alone(b"%PDF-1.7\n\0"), ("a PDF",)),
    "audio": Case("v1.wav", alone(b"RIFF\0\0\0\0WAVE"), ("v1.wav", "turns or transcripts")),
    "web-page": Case("v1.rttm", alone("<!doctype html><title>Sign in</title>"), ("v1.rttm",)),
    "program": Case("v1.rttm", alone(b"\x7fELF\2\1\1" + bytes(50)), ("NUL byte",)),
    "not-a-number": Case("v1.rttm", with_files(hi_anc_01__rttm=turn("hi_anc_01", "nan")), ("hi_anc_01.rttm:1: onset", "'nan'")),
    "infinite": Case("v1.rttm", with_files(hi_anc_01__rttm=turn("hi_anc_01", "0", "inf")), ("hi_anc_01.rttm:1: duration",)),
    "before-the-start": Case("v1.rttm", with_files(hi_anc_01__rttm=turn("hi_anc_01", "-3")), ("onset", "seconds >= 0")),
    "huge-time": Case("v1.rttm", with_files(hi_anc_01__rttm=turn("hi_anc_01", "1e300")), ("onset",)),
    "escape-in-a-name": Case(
        "v1.rttm", with_files(hi_anc_01__rttm=turn("hi_anc_01", speaker="\x1b[31m")), ("control characters",)
    ),
    "markup": Case("v1.rttm", with_files(x__rttm=turn("<script>alert(1)</script>")), ("x.rttm:1: session_id", "alert(1)")),
    "quotes": Case("v1.rttm", with_files(x__rttm=turn("x');DROP/**/TABLE/**/users;--")), ("x.rttm:1: session_id",)),
    "cell-formula": Case("v1.rttm", with_files(x__rttm=turn("=HYPERLINK(1)")), ("x.rttm:1: session_id",)),
    "suffix": Case("v1.rttm", with_files(hi_anc_01__rttm=turn("hi_anc_01_SPEAKER")), ("Did you mean 'hi_anc_01'?", "'_SPEAKER'")),
    "typing-error": Case("v1.rttm", with_files(hi_anc_01__rttm=turn("hi_acn_01")), ("Did you mean 'hi_anc_01'?", "no answer")),
    "recordings-missing": Case("v1.rttm", alone(TURN), ("no answer to 'hi_child_02'", "no answer to 'kn_fever_04'")),
    "answer-twice": Case("a.zip", with_files(copy__rttm=TURN), ("a second answer to 'hi_anc_01'",)),
    "two-formats": Case("a.zip", with_files(kn_fever_04__stm="kn_fever_04 1 a 0 2 x\n"), ("files of several formats",)),
    "two-folders": Case("a.zip", lambda: zipped({**good(), "old/hi_anc_01.rttm": TURN}), ("files in 2 folders",)),
    "broken-json": Case("a.zip", with_files(run__json='{"a": ['), ("run.json", "JSON")),
    "deep-json": Case("v1.json", alone("[" * 100_000 + "]" * 100_000), ("v1.json",)),
    "long-number": Case(
        "v1.json", alone('[{"session_id": "hi_anc_01", "speaker": "a", "start_time": ' + "9" * 5000 + "}]"), ("v1.json",)
    ),
    "entities": Case("v1.eaf", alone(ENTITIES), ("DOCTYPE",)),
    "path-to-follow": Case("v1.json", alone(MANIFEST), ("nemo", "names further files")),
    "command-to-run": Case(
        "kaldi.zip",
        lambda: zipped({"wav.scp": b"v1 cat /etc/passwd |\n", "text": b"v1 x\n", "utt2spk": b"v1 a\n"}),
        ("kaldi", "names further files"),
    ),
    "regions": Case("v1.uem", alone("hi_anc_01 1 0 9\n"), ("scoring regions", "turns or transcripts")),
    "topics-for-turns": Case("topics.csv", alone("rec_id,gt_topics\nhi_anc_01,fever\n"), ("Is it for topics?",)),
    "turns-for-words": Case("a.zip", lambda: zipped(good()), ("turns without words", "Is it for diarization?"), "asr"),
    "words-for-turns": Case("ref.txt", alone("".join(f"{one} नमस्ते\n" for one in IDS)), ("no speaker",)),
    "summaries-for-topics": Case("s.csv", alone("rec_id,gt_summary\nhi_anc_01,x\n"), ("Is it for summarization?",), "topics"),
    "topics-twice": Case("t.csv", alone("rec_id,gt_topics\n" + "hi_anc_01,fever\n" * 2), ("hi_anc_01",), "topics"),
    "no-table": Case("t.csv", alone("hello\n"), ("t.csv",), "topics"),
    "one-long-line": Case("v1.rttm", alone("SPEAKER " + "x" * 5_000_000), ("v1.rttm:1", "2 fields")),
    "strange-file-name": Case("<img src=x onerror=alert(1)>.rttm", alone("x"), ("SPEAKER",)),
    "faults-without-end": Case("v1.rttm", alone("SPEAKER hi_anc_01 1 x x <NA> <NA> a <NA> <NA>\n" * 50_000), ("more fault",)),
    "ids-without-end": Case("v1.rttm", alone("".join(turn(f"v{one}") for one in range(20_000))), ("more fault",)),
}
HOSTILE: dict[str, Case] = {**NAMES, **FORMS, **FILES}
"""Every one, by name."""

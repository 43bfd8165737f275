"""What this machine is and what a process of it uses: memory, processor time, energy, devices.

Linux tells all of it through files; elsewhere what cannot be read is None.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

POWERCAP = Path("/sys/class/powercap")
"""Where Linux tells the energy that processors have used (RAPL)."""

_CLEAR_PEAK = "5"
"""Written to ``clear_refs``, it sets the peak of a process to what it holds now."""


def memory(pid: int | None = None) -> int | None:
    """Bytes of main memory that a process holds now and that the system cannot take back; mapped files it can.

    Args:
        pid: The process; None is this one.

    Returns:
        None where the system does not tell, or the process has ended.
    """
    return _status("RssAnon", pid)


def peak_memory() -> int:
    """The most bytes of main memory that this process and those it started held since ``reset_peak``, mapped files included.

    Since its start where that does nothing; the peaks of several processes are added, whenever each came.
    """
    import resource

    own = _status("VmHWM", None) or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return own + sum(_status("VmHWM", pid) or 0 for pid in _started())


def reset_peak() -> None:
    """Let the peak be what is held now, where the system can."""
    for pid in ("self", *_started()):
        with suppress(OSError):
            Path(f"/proc/{pid}/clear_refs").write_text(_CLEAR_PEAK)


def trim() -> None:
    """Give the memory that was freed back to the system; the C library keeps it otherwise, up to half of what was used."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def cpu_seconds() -> float:
    """Processor seconds of this process, all of its threads, and of the processes it started."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system + sum(map(_cpu_of, _started()))


@cache
def device() -> Mapping[str, Any]:
    """The machine as run cards name it: processor, cores, bytes of memory, graphics processors."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else None
    return {"cpu": _processor(), "cores": cores(), "memory_mb": pages and round(pages / 1e6), "gpus": _graphics()}


def cores() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Energy:
    """Joules that the whole machine had used at some time, by source; or why that cannot be read.

    >>> Energy({"package-0": 5.0}).since(Energy({"package-0": 2.0}))
    {'joules': 3.0, 'sources': ['package-0']}
    """

    joules: Mapping[str, float]
    reason: str = ""

    def since(self, earlier: Energy) -> dict[str, Any]:
        """The energy used since then; ``joules`` is None, with the reason, where nothing tells.

        A counter that began again (they do, every hour or so under load) is left out, and said so.
        """
        used = {name: value - earlier.joules[name] for name, value in self.joules.items() if name in earlier.joules}
        if not used:
            return {"joules": None, "reason": self.reason}
        if any(value < 0 for value in used.values()):
            return {"joules": None, "reason": "a counter began again from 0"}
        return {"joules": round(sum(used.values()), 1), "sources": sorted(used)}


def energy(powercap: Path = POWERCAP) -> Energy:
    """The energy counters of the processors (RAPL) and of NVIDIA's graphics processors (NVML) as they stand now."""
    joules: dict[str, float] = {}
    reasons = []
    for zone in sorted(powercap.glob("*:*")):
        if zone.name.count(":") > 1:  # a part of a package, counted with it
            continue
        try:
            joules[(zone / "name").read_text().strip()] = int((zone / "energy_uj").read_text()) / 1e6
        except (OSError, ValueError) as error:
            reasons.append(f"{zone / 'energy_uj'}: {getattr(error, 'strerror', None) or error}")
    if not joules and not reasons:
        reasons.append(f"no energy counters in {powercap}")
    for number, name in enumerate(_graphics()):
        with suppress(Exception):  # an older card has no counter
            joules[f"gpu {number} {name}"] = _nvml().nvmlDeviceGetTotalEnergyConsumption(_handle(number)) / 1e3
    return Energy(joules, "; ".join(reasons))


def gpu_peak() -> int | None:
    """The most bytes that torch held on a graphics processor since ``reset_gpu_peak``; None where it does not use one."""
    cuda = _cuda()
    return max(cuda.max_memory_allocated(i) for i in range(cuda.device_count())) if cuda else None


def reset_gpu_peak() -> None:
    """Let the peak on the graphics processors be what is held now."""
    if cuda := _cuda():
        for number in range(cuda.device_count()):
            cuda.reset_peak_memory_stats(number)


def _cuda() -> Any:
    """``torch.cuda`` where some backend has used it."""
    torch = sys.modules.get("torch")
    return torch.cuda if torch is not None and torch.cuda.is_initialized() else None


def _started() -> list[int]:
    """The processes that this one started, and they in turn, as far as they still run."""
    found: list[int] = []
    left = [os.getpid()]
    while left:
        pid = left.pop()
        for listed in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):
                children = [int(child) for child in listed.read_text().split()]
                found += children
                left += children
    return found


def _cpu_of(pid: int) -> float:
    with suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # its own and those of its ended children
    return 0.0


def _status(field: str, pid: int | None) -> int | None:
    """A field of Linux's account of a process, in bytes."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid or 'self'}/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    return None


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


@cache
def _nvml() -> Any:
    """NVML, started; None without the package or a driver."""
    try:
        import pynvml

        pynvml.nvmlInit()
    except Exception:  # no package, no driver, no card: as many kinds of error
        return None
    return pynvml


def _handle(number: int) -> Any:
    return _nvml().nvmlDeviceGetHandleByIndex(number)


@cache
def _graphics() -> tuple[str, ...]:
    """Names of the NVIDIA cards that NVML tells of, or else torch."""
    if library := _nvml():
        names = (library.nvmlDeviceGetName(_handle(i)) for i in range(library.nvmlDeviceGetCount()))
        return tuple(name.decode() if isinstance(name, bytes) else name for name in names)
    cuda = _cuda()
    return tuple(cuda.get_device_name(i) for i in range(cuda.device_count())) if cuda else ()

"""Who spoke when. The challenge scores DER with dscore: no collar, overlap scored, region from the turns' extents."""

from parakh.tracks import Track
from parakh.types import Segment

TRACK = Track(
    name="diarization",
    question="Who spoke when",
    item=Segment,
    metrics=("der", "jer"),
    options={"collar": 0.0, "skip_overlap": False},
)

"""Who spoke when. The challenge scores DER with dscore: no collar, overlap scored, region from the turns' extents."""

from parakh.metrics import Payload
from parakh.tracks import Track
from parakh.types import Segment

TRACK = Track(
    name="diarization",
    question="Who spoke when",
    item=Segment,
    payloads=(Payload.TURNS,),
    metrics=("der", "jer"),
    options={"collar": 0.0, "score_regions": "all"},
)

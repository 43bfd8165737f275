"""Who found which health problems: the clinical concept list, and what conversations say about each concept."""

from parakh.clinical.assertion import Status
from parakh.clinical.lexicon import Concept, concepts
from parakh.clinical.measurements import Measurement, measurements
from parakh.clinical.mentions import Mention, mentions
from parakh.clinical.roles import assign_roles

__all__ = ["Concept", "Measurement", "Mention", "Status", "assign_roles", "concepts", "measurements", "mentions"]

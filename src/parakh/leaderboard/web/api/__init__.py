"""One module a group of the API's operations, each with a ``router``, below ``/api/v1``."""

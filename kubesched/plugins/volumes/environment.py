"""The limit on volumes that an environment sets.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go, getMaxVolLimitFromEnv.
"""

import re
from collections.abc import Mapping
from logging import getLogger
from typing import Final

KUBE_MAX_PD_VOLS: Final = "KUBE_MAX_PD_VOLS"
"""How many volumes of each kind but CSI a node takes that does not say so itself."""

_LARGEST: Final = 2**63 - 1
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,4000}")
_LOGGER: Final = getLogger("kubesched.plugins.volumes")


def max_pd_volumes(environ: Mapping[str, str]) -> int | None:
    """Return the limit that an environment sets, if it sets one.

    A value that is no number, or none above 0, is ignored, with a warning in the log.

    >>> max_pd_volumes({"KUBE_MAX_PD_VOLS": "40"}), max_pd_volumes({})
    (40, None)
    """
    value = environ.get(KUBE_MAX_PD_VOLS, "")
    if not value:
        return None
    limit = int(value) if _INTEGER.fullmatch(value) else 0
    if 0 < limit <= _LARGEST:
        return limit
    _LOGGER.warning("%s is %r and ignored, expected a number above 0", KUBE_MAX_PD_VOLS, value)
    return None

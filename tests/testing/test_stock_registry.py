"""What comes with the library keeps its own laws; `seeds.py` tries it for longer."""

import pytest
from hypothesis import settings

from kubesched import Registry
from kubesched.testing import check_registry
from kubesched.testing.situation import situations
from tests.testing.stock import REGISTRIES

FEW = settings(max_examples=3, deadline=None, database=None)
SITUATIONS = situations()  # made once, as to make them takes longer than a few examples


@pytest.mark.parametrize("registry", REGISTRIES.values(), ids=REGISTRIES)
def test_the_rules_of_a_stock_registry_keep_the_laws(registry: Registry) -> None:
    check_registry(registry, situations=SITUATIONS, settings=FEW)

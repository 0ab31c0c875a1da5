"""Plain data to YAML, as kubectl writes it: block style, keys in their order."""

from typing import Any

from kubesched.errors import MissingExtraError

try:
    import yaml
except ImportError:
    raise MissingExtraError("writing YAML", "yaml") from None


def to_yaml(data: Any) -> str:
    """Write plain data as one YAML document.

    >>> print(to_yaml({"kind": "Pod", "metadata": {"name": "cart"}}), end="")
    kind: Pod
    metadata:
      name: cart
    """
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=10_000)
    return text

"""Plain data to YAML, as kubectl writes it: block style, keys in their order.

PyYAML writes it, but does not decide what goes without quotes: it knows another dialect and would
leave `y` and `1e3` bare, which Kubernetes and `yaml_scalars` read as true and 1000.
"""

import re
from typing import Any, Final

from kubesched.errors import MissingExtraError
from kubesched.manifests.yaml_scalars import resolve

try:
    import yaml
except ImportError:
    raise MissingExtraError("writing YAML", "yaml") from None

# Text that no reader takes for anything but itself; more would be possible, less is surer.
_PLAIN: Final = re.compile(r"[A-Za-z/](?:[A-Za-z0-9_./-]|[ :=@+](?=[A-Za-z0-9_./-]))*")


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - nothing is written as an alias
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    is_plain = _PLAIN.fullmatch(text) and resolve(text) == text
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if is_plain else '"')


_Dumper.add_representer(str, _represent_text)


def to_yaml(data: Any) -> str:
    """Write plain data as one YAML document.

    >>> print(to_yaml({"kind": "Pod", "metadata": {"name": "cart-1", "uid": "1e3"}}), end="")
    kind: Pod
    metadata:
      name: cart-1
      uid: "1e3"
    """
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        default_flow_style=False,
        sort_keys=False,
        allow_unicode=True,
        width=float("inf"),
    )
    return text.removesuffix("...\n")

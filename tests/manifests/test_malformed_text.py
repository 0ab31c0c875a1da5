"""Text that cannot be read, or not as what it was meant: each kind of fault, and what is said."""

from pathlib import Path

import pytest

from kubesched.manifests import ManifestError, load_objects

NODE = "kind: Node\nmetadata: {name: a1}\n"
POD = "kind: Pod\nmetadata: {name: cart, namespace: shop}\n"
ALIAS_BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)
ALIAS_CHAIN = "- &a0 [x]\n" + "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 300))


def nested(levels: int) -> str:
    return f'{{"kind": "Pod", "x": {"[" * levels}{"]" * levels}}}'


FAULTS: list[tuple[str, str, str | bytes, str]] = [
    (
        "a bracket that is not closed",
        "a.yaml",
        "kind: Pod\nmetadata: {name: cart\n",
        "a.yaml, document 1: is not YAML (line 3, column 1: did not find expected ',' or '}')",
    ),
    (
        "a tab for indentation",
        "a.yaml",
        "kind: Pod\nmetadata:\n\tname: cart\n",
        "a.yaml, document 1: is not YAML (line 3, column 1: found character that cannot "
        "start any token)",
    ),
    (
        "two colons in a line",
        "a.yaml",
        "kind: Pod\nspec: a: b\n",
        "a.yaml, document 1: is not YAML (line 2, column 8: mapping values are not allowed "
        "in this context)",
    ),
    (
        "a colon too few in JSON",
        "a.json",
        '{"kind" "Pod"}',
        "a.json, document 1: is not JSON (line 1, column 9: expecting ':' delimiter)",
    ),
    (
        "JSON that stops half way",
        "a.json",
        '{"kind": "Pod", "metadata": {',
        "a.json, document 1: is not JSON (line 1, column 30: expecting property name "
        "enclosed in double quotes)",
    ),
    (
        "text after the JSON",
        "a.json",
        '{"kind": "Namespace", "metadata": {"name": "x"}} and so on',
        "a.json, document 2: is not JSON (line 1, column 50: expecting value)",
    ),
    (
        "a bad line among JSON lines",
        "a.jsonl",
        '{"kind": "Namespace", "metadata": {"name": "x"}}\n{"kind": }\n',
        "a.jsonl, document 2: is not JSON (line 2, column 10: expecting value)",
    ),
    (
        "YAML in a file of JSON",
        "a.json",
        POD,
        "a.json, document 1: is not JSON (line 1, column 1: expecting value)",
    ),
    (
        "neither JSON nor YAML, by its suffix YAML",
        "a.yaml",
        '{"kind": "Pod"',
        "a.yaml, document 1: is not YAML (line 2, column 1: did not find expected ',' or '}')",
    ),
    (
        "neither JSON nor YAML, without a suffix",
        "a",
        '{"kind": "Pod"',
        "a, document 1: is not JSON (line 1, column 15: expecting ',' delimiter)",
    ),
    (
        "a control character in JSON",
        "a.json",
        '{"kind": "a\x01b"}',
        "a.json, document 1: is not JSON (line 1, column 12: invalid control character)",
    ),
    (
        "a control character in YAML",
        "a.yaml",
        "kind: Pod\nname: a\x00b",
        "a.yaml, document 1: is not YAML (line 2, column 8: the character U+0000 is not allowed)",
    ),
    (
        "half of a surrogate pair",
        "a.json",
        '{"kind": "Pod", "metadata": {"name": "\\ud83d"}}',
        "a.json, document 1: is not JSON (from line 1, column 1 on: a string holds half of "
        "a surrogate pair)",
    ),
    (
        "single quotes in JSON",
        "a.json",
        "{'kind': 'Pod'}",
        "a.json, document 1: is not JSON (line 1, column 2: expecting property name "
        "enclosed in double quotes)",
    ),
    (
        "an escape that YAML does not know",
        "a.yaml",
        'kind: "\\q"',
        "a.yaml, document 1: is not YAML (line 1, column 8: found unknown escape character)",
    ),
    (
        "bytes that are not UTF-8",
        "a.yaml",
        b"kind: Pod\nname: \xff\xfe",
        "a.yaml: is not text in UTF-8 (byte 0xff at offset 16)",
    ),
    (
        "Latin-1",
        "a.yaml",
        "kind: Pod\nname: café".encode("latin-1"),
        "a.yaml: is not text in UTF-8 (byte 0xe9 at offset 19)",
    ),
    (
        "half a character of UTF-16",
        "a.yaml",
        "kind: Pod".encode("utf-16") + b"a",
        "a.yaml: is not text in UTF-16 (byte 0x61 at offset 20)",
    ),
    (
        "a compressed file",
        "a.json.gz",
        b"\x1f\x8b\x08\x00abc",
        "a.json.gz: is not text in UTF-8 (byte 0x8b at offset 1)",
    ),
    (
        "an anchor that contains itself",
        "a.yaml",
        "a: &a [*a]",
        "a.yaml, document 1: is not accepted (line 1, column 8: the anchor 'a' contains itself)",
    ),
    (
        "an alias without an anchor",
        "a.yaml",
        "a: *b",
        "a.yaml, document 1: is not accepted (line 1, column 4: there is no anchor 'b')",
    ),
    (
        "an anchor of another document",
        "a.yaml",
        "a: &b 1\n---\na: *b",
        "2 problems:\n  a.yaml, document 1: kind is missing\n  a.yaml, document 2: is not "
        "accepted (line 3, column 4: there is no anchor 'b')",
    ),
    (
        "an alias bomb",
        "a.yaml",
        ALIAS_BOMB,
        "a.yaml, document 1: is not accepted (line 5, column 45: the aliases stand for "
        "more than 100,000 nodes)",
    ),
    (
        "aliases that nest",
        "a.yaml",
        ALIAS_CHAIN,
        "a.yaml, document 1: is nested more than 200 levels deep",
    ),
    (
        "a tag of Python",
        "a.yaml",
        "kind: !!python/object/apply:os.system [true]",
        "a.yaml, document 1: is not accepted (line 1, column 7: the tag "
        "'tag:yaml.org,2002:python/object/apply:os.system' is not known)",
    ),
    (
        "a tag that the value does not suit",
        "a.yaml",
        "kind: !!int Pod",
        "a.yaml, document 1: is not accepted (line 1, column 7: 'Pod' is not of the type "
        "that its tag says)",
    ),
    (
        "a binary",
        "a.yaml",
        "kind: !!binary UG9k",
        "a.yaml, document 1: is not accepted (line 1, column 7: the tag "
        "'tag:yaml.org,2002:binary' is not known)",
    ),
    (
        "a set",
        "a.yaml",
        "kind: !!set {a}",
        "a.yaml, document 1: is not accepted (line 1, column 7: the tag "
        "'tag:yaml.org,2002:set' is not known)",
    ),
    (
        "a list for a key",
        "a.yaml",
        "? [kind]\n: Pod",
        "a.yaml, document 1: is not accepted (line 1, column 8: a list cannot be a key)",
    ),
    (
        "null for a key",
        "a.yaml",
        "~: Pod",
        "a.yaml, document 1: is not accepted (line 1, column 1: null cannot be a key)",
    ),
    (
        "a merge of text",
        "a.yaml",
        "<<: Pod",
        "a.yaml, document 1: is not accepted (line 1, column 5: only mappings can be "
        "merged with '<<')",
    ),
    (
        "a repeated key in YAML",
        "a.yaml",
        POD + "spec: {nodeName: a, nodeName: b}",
        "a.yaml, document 1, Pod shop/cart: spec.nodeName occurs more than once",
    ),
    (
        "a key repeated in another spelling",
        "a.yaml",
        POD + "spec: {nodeSelector: {on: a, true: b}}",
        "a.yaml, document 1, Pod shop/cart: spec.nodeSelector.true occurs more than once",
    ),
    (
        "a repeated key in JSON",
        "a.json",
        '{"kind": "Node", "kind": "Node", "metadata": {"name": "a1"}}',
        "a.json, document 1, Node a1: kind occurs more than once",
    ),
    (
        "a repeated key of a list",
        "a.json",
        '{"kind": "List", "items": [], "items": []}',
        "a.json, document 1, List: items occurs more than once",
    ),
    (
        "a repeated key in an unknown kind",
        "a.json",
        '{"kind": "ConfigMap", "data": {"a/b": "", "a/b": ""}}',
        "a.json, document 1, ConfigMap: data['a/b'] occurs more than once",
    ),
    (
        "lists nested too deep in JSON",
        "a.json",
        nested(200),
        "a.json, document 1: is nested more than 200 levels deep",
    ),
    (
        "lists nested absurdly deep in JSON",
        "a.json",
        nested(100_000),
        "a.json, document 1: is nested more than 200 levels deep",
    ),
    (
        "lists nested too deep in YAML",
        "a.yaml",
        f"x: {'[' * 200}{']' * 200}",
        "a.yaml, document 1: is not accepted (line 1, column 203: the document is nested "
        "more than 200 levels deep)",
    ),
    (
        "blocks nested absurdly deep in YAML",
        "a.yaml",
        f"{'- ' * 100_000}x",
        "a.yaml, document 1: is not accepted (line 1, column 401: the document is nested "
        "more than 200 levels deep)",
    ),
    (
        "what is not a number",
        "a.json",
        '{"kind": "Node", "metadata": {"name": "a1"}, "spec": {"x": NaN}}',
        "a.json, document 1, Node a1: spec.x: NaN is not a number",
    ),
    (
        "infinity for a quantity",
        "a.yaml",
        NODE + "status: {capacity: {cpu: -.inf}}",
        "a.yaml, document 1, Node a1: status.capacity.cpu: -.inf is not a number",
    ),
    (
        "an exponent out of range",
        "a.json",
        '{"kind": "Node", "metadata": {"name": "a1"}, "status": {"capacity": {"cpu": 1e999}}}',
        "a.json, document 1, Node a1: status.capacity.cpu: 1e999 is out of range",
    ),
    (
        "an exponent beyond all range",
        "a.json",
        '{"kind": "Node", "metadata": {"name": "a1"}, "status": {"capacity": {"cpu": '
        "1e99999999999999999999}}}",
        "a.json, document 1, Node a1: status.capacity.cpu: 1e99999999999999999999 is out of range",
    ),
    (
        "a number of five thousand digits",
        "a.yaml",
        NODE + f"status: {{capacity: {{cpu: {'1' * 5000}}}}}",
        "a.yaml, document 1, Node a1: status.capacity.cpu: "
        "111111111111111111111111111111111111111111111111111111111111… has more than 400 "
        "digits",
    ),
]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [fault[1:] for fault in FAULTS],
    ids=[fault[0] for fault in FAULTS],
)
def test_text_that_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str | bytes, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ManifestError) as caught:
        load_objects(name)
    assert str(caught.value) == expected

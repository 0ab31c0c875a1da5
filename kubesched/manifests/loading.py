"""Loading: sources in, objects out, or one error with all that is wrong with all of them."""

from collections import Counter

from attrs import define, evolve, field

from kubesched.manifests.bundle import Manifests
from kubesched.manifests.documents import documents
from kubesched.manifests.errors import ManifestError, Place, Problem
from kubesched.manifests.flaws import TOO_DEEP, State, state_of
from kubesched.manifests.identity import Identity, identity_of, label_of, name_faults
from kubesched.manifests.lists import manifests_in
from kubesched.manifests.reading import read_manifest
from kubesched.manifests.sources import Given, Source, Text, opened
from kubesched.model import KubeObject


def load_objects(*sources: Source) -> Manifests:
    """Load objects from files, folders, streams and plain data.

    A path is a file, or a folder whose `*.json`, `*.jsonl`, `*.yaml` and `*.yml` are loaded in the
    order of their paths, subfolders included; `-` is standard input. Files and open streams hold
    JSON (a document, several of them, or one a line) or YAML (which needs the extra `yaml`), in
    UTF-8 or in UTF-16 with a byte-order mark; what they hold is told by the content. Plain data is
    a mapping as `json.load` gives it. Lists of kind List, PodList and so on are taken apart.
    Unknown fields are ignored, manifests of unknown kinds skipped and counted; a null is as good as
    an absent field. Nothing is filled in: `Manifests.with_defaults` does that.

        >>> from io import StringIO
        >>> loaded = load_objects(StringIO('{"kind": "Namespace", "metadata": {"name": "shop"}}'))
        >>> loaded.objects[0].name
        'shop'
        >>> load_objects({"kind": "Pod", "metadata": {"name": "cart"}, "spec": {"priority": "high"}})
        Traceback (most recent call last):
            ...
        kubesched.manifests.errors.ManifestError: argument 1, Pod cart: spec.priority: 'high' is not an integer

    Args:
        sources: what to load, in this order: paths, streams, mappings, objects, or iterables of them.

    Raises:
        ManifestError: with every problem of every source.
        MissingExtraError: if there is YAML and PyYAML is not installed.
    """  # noqa: E501 - the message of the doctest is one line
    loading = _Loading()
    for found in opened(sources, loading.problems.append):
        loading.take(found)
    if loading.problems:
        raise ManifestError(loading.problems)
    return Manifests(loading.objects.values(), loading.skipped)


@define(eq=False)
class _Loading:
    """What has been loaded so far, and what was wrong with the rest."""

    objects: dict[Identity, KubeObject] = field(factory=dict)
    places: dict[Identity, Place] = field(factory=dict)
    skipped: Counter[str] = field(factory=Counter)
    problems: list[Problem] = field(factory=list)

    def take(self, found: Text | Given) -> None:
        if isinstance(found, Text):
            for place, document in documents(found, self.problems.append):
                self._take_document(place, document)
        elif isinstance(found.value, KubeObject):
            self._take_model(found.place, found.value)
        else:
            self._take_document(found.place, found.value)

    def _take_model(self, place: Place, it: KubeObject) -> None:
        faults = list(name_faults(it))
        for fault in faults:
            self.problems.append(evolve(place, object=it.kind).problem(fault.why, fault.path))
        if not faults:
            self._add(place, it)

    def _take_document(self, place: Place, document: object) -> None:
        report = self.problems.append
        state = state_of(document)
        if state is State.TOO_DEEP:
            report(place.problem(TOO_DEEP))
            return
        for manifest in manifests_in(place, document, report):
            result = read_manifest(manifest, report, flawed=state is State.FLAWED)
            if isinstance(result, str):
                self.skipped[result] += 1
            elif result is not None:
                self._add(manifest.place, result)

    def _add(self, place: Place, it: KubeObject) -> None:
        identity = identity_of(it)
        if identity in self.objects:
            why = f"is the same object as in {self.places[identity]}"
            self.problems.append(evolve(place, object=label_of(it)).problem(why))
            return
        self.objects[identity] = it
        self.places[identity] = place

"""Extenders that are asked over TLS, with certificates of an authority of our own."""

import ssl
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
import trustme
from attrs import frozen

from kubesched.builders import node, pod
from kubesched.errors import ExtenderError, OptionError
from kubesched.plugins.http_extender import ExtenderConfig, TLSConfig, http_extender
from kubesched.state import NodeInfo
from tests.scripted_server import Answer, ScriptedServer

AUTHORITY = trustme.CA()
OURS = AUTHORITY.issue_cert("client@example.com")
NAME = "extender.example.com"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the certificates into files."""
    folder = tmp_path_factory.mktemp("tls")
    AUTHORITY.cert_pem.write_to_path(folder / "ca.pem")
    OURS.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    OURS.private_key_pem.write_to_path(folder / "key.pem")
    return folder


@frozen
class Server:
    """A server over TLS, whose certificate is for its address or for another name."""

    server: ScriptedServer

    @classmethod
    def started(cls, name: str, *, wants_certificate: bool = False) -> "Server":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        AUTHORITY.issue_cert(name).configure_cert(context)
        if wants_certificate:
            context.verify_mode = ssl.CERT_REQUIRED
            AUTHORITY.configure_trust(context)
        server = ScriptedServer()
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        server.script = lambda _: Answer(body=b'{"NodeNames": ["a"]}')
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return cls(server)

    def keeps(self, tls: TLSConfig | None, *, https: bool = True) -> tuple[str, ...]:
        config = ExtenderConfig(
            url_prefix=f"https://{self.server.host}",
            filter_verb="filter",
            node_cache_capable=True,
            enable_https=https,
            tls_config=tls,
        )
        keep = http_extender(config).filter
        assert keep is not None
        return keep(pod("web"), [NodeInfo.of(node("a"))]).kept


def stop(server: Server) -> None:
    server.server.shutdown()
    server.server.server_close()


@pytest.fixture(scope="module")
def here() -> Iterator[Server]:
    server = Server.started("127.0.0.1")
    yield server
    stop(server)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Server]:
    server = Server.started(NAME)
    yield server
    stop(server)


@pytest.fixture(scope="module")
def strict() -> Iterator[Server]:
    server = Server.started("127.0.0.1", wants_certificate=True)
    yield server
    stop(server)


def in_base64(pem: trustme.Blob) -> str:
    return b64encode(pem.bytes()).decode()


CA_DATA = in_base64(AUTHORITY.cert_pem)


def test_an_authority_in_a_file_or_in_the_entry_is_trusted(here: Server, folder: Path) -> None:
    assert here.keeps(TLSConfig(ca_file=str(folder / "ca.pem"))) == ("a",)
    assert here.keeps(TLSConfig(ca_data=CA_DATA, ca_file="/is/not/read")) == ("a",)
    in_lines = "\r\n".join([CA_DATA[:64], CA_DATA[64:], ""])
    assert here.keeps(TLSConfig(ca_data=in_lines)) == ("a",)


def test_another_authority_is_not_trusted(here: Server) -> None:
    other = TLSConfig(ca_data=in_base64(trustme.CA().cert_pem))
    with pytest.raises(ExtenderError, match="certificate verify failed"):
        here.keeps(other)


@pytest.mark.parametrize("tls", [None, TLSConfig(server_name=NAME)], ids=["nothing", "a name"])
def test_the_systems_authorities_are_trusted_unless_https_is_enabled(
    here: Server, tls: TLSConfig | None
) -> None:
    with pytest.raises(ExtenderError, match="certificate verify failed"):
        here.keeps(tls, https=False)
    assert here.keeps(tls, https=True) == ("a",)


def test_insecure_takes_any_certificate(elsewhere: Server) -> None:
    assert elsewhere.keeps(TLSConfig(insecure=True), https=False) == ("a",)


def test_a_certificate_must_be_for_the_address_or_the_name_that_is_given(elsewhere: Server) -> None:
    with pytest.raises(ExtenderError, match="certificate verify failed"):
        elsewhere.keeps(TLSConfig(ca_data=CA_DATA))
    assert elsewhere.keeps(TLSConfig(ca_data=CA_DATA, server_name=NAME)) == ("a",)


def test_our_own_certificate_is_shown(strict: Server, folder: Path) -> None:
    with pytest.raises(ExtenderError):
        strict.keeps(TLSConfig(ca_data=CA_DATA))
    files = TLSConfig(
        ca_data=CA_DATA, cert_file=str(folder / "cert.pem"), key_file=str(folder / "key.pem")
    )
    assert strict.keeps(files) == ("a",)
    data = TLSConfig(
        ca_data=CA_DATA,
        cert_data=in_base64(OURS.cert_chain_pems[0]),
        key_data=in_base64(OURS.private_key_pem),
    )
    assert strict.keeps(data) == ("a",)


@pytest.mark.parametrize(
    ("tls", "said"),
    [
        pytest.param(
            TLSConfig(insecure=True, ca_data=CA_DATA), "although insecure is set", id="both"
        ),
        pytest.param(TLSConfig(ca_file="/no/such/file"), "No such file", id="no such file"),
        pytest.param(TLSConfig(ca_data="AA=="), "", id="no certificate"),
        pytest.param(TLSConfig(ca_data="!"), "", id="no base64"),
        pytest.param(
            TLSConfig(cert_data=in_base64(OURS.cert_chain_pems[0])),
            "without its key",
            id="a certificate, no key",
        ),
    ],
)
def test_options_that_cannot_be_used_are_refused_at_once(tls: TLSConfig, said: str) -> None:
    with pytest.raises(OptionError) as caught:
        http_extender(ExtenderConfig(url_prefix="https://h", tls_config=tls))
    assert str(caught.value).startswith("tls_config of extender 'https://h': ")
    assert said in str(caught.value)

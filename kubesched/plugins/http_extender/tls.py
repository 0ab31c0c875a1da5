"""How TLS is spoken with an extender.

Source: kubernetes v1.12.2, pkg/scheduler/core/extender.go (makeTransport),
k8s.io/client-go/transport/transport.go (TLSConfigFor).
"""

import ssl
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kubesched.errors import OptionError
from kubesched.plugins.http_extender.config import ExtenderConfig, TLSConfig

_LINE_ENDS: Final = {ord("\r"): None, ord("\n"): None}
"""What Go passes over in base64."""


def tls_context(config: ExtenderConfig) -> ssl.SSLContext:
    """Return what an extender's certificate is checked by, and what we show of ourselves.

    Raises:
        OptionError: a file or the data of one cannot be used, or they contradict each other.
    """
    tls = config.tls_config or TLSConfig()
    if tls == TLSConfig() and not config.enable_https:
        return _plain_context()
    names_authority = bool(tls.ca_file or tls.ca_data)
    if tls.insecure and names_authority:
        raise _error(config, "ca_file or ca_data is given although insecure is set")
    context = _context()
    if tls.insecure or (config.enable_https and not names_authority):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    try:
        _trust(context, tls)
        _show(context, tls)
    except (OSError, ValueError) as error:  # an SSLError is an OSError
        raise _error(config, str(error)) from error
    return context


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


@cache
def _plain_context() -> ssl.SSLContext:
    """Trust what the system trusts, read once: that takes its time, and mostly there is no TLS."""
    context = _context()
    context.load_default_certs()
    return context


def _error(config: ExtenderConfig, why: str) -> OptionError:
    return OptionError(f"tls_config of extender {config.url_prefix!r}: {why}")


def _trust(context: ssl.SSLContext, tls: TLSConfig) -> None:
    if tls.ca_file or tls.ca_data:
        pem = _content(tls.ca_data, tls.ca_file).decode()
        context.load_verify_locations(cadata=pem)
    elif context.verify_mode is not ssl.CERT_NONE:
        context.load_default_certs()


def _show(context: ssl.SSLContext, tls: TLSConfig) -> None:
    if tls.cert_file or tls.cert_data:
        if not (tls.key_file or tls.key_data):
            raise ValueError("a certificate is given without its key")
        certificate = _content(tls.cert_data, tls.cert_file)
        key = _content(tls.key_data, tls.key_file)
        with _written(certificate + b"\n" + key) as path:
            context.load_cert_chain(path)


def _content(data: str, file: str) -> bytes:
    if not data:
        return Path(file).read_bytes()
    return b64decode(data.translate(_LINE_ENDS), validate=True)


@contextmanager
def _written(pem: bytes) -> Iterator[Path]:
    """Put a certificate and its key into a file, as OpenSSL wants it, that only we can read."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "chain.pem")
        path.touch(mode=0o600)
        path.write_bytes(pem)
        yield path

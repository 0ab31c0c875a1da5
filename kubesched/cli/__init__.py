"""The command line."""

from kubesched.errors import MissingExtraError


def main() -> None:
    """Run the command line; it needs the extra `cli`."""
    try:
        from kubesched.cli.command import run  # noqa: PLC0415 - click and rich are an extra
    except ModuleNotFoundError as missing:
        if missing.name not in {"click", "rich", "yaml"}:
            raise
        raise SystemExit(str(MissingExtraError("the command line", "cli"))) from None
    run()

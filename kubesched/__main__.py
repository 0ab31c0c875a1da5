"""`python -m kubesched` is the command line as well."""

from kubesched.cli import main

main()

"""`python -m kubesched` is the command line as well."""

from kubesched.cli import main

if __name__ == "__main__":
    main()

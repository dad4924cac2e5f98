"""`python -m checkers_client`."""

import sys

from .runner import main

sys.exit(main())

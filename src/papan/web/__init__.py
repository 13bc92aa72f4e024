"""The web app: a server on loopback, and the pages that it serves."""

"""What all tests share."""

from hypothesis import settings

settings.register_profile("papan", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("papan")

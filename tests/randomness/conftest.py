from hypothesis import settings

# No test measures time: the machine may be busy.
settings.register_profile("reticent", deadline=None)
settings.load_profile("reticent")

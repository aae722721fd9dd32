"""The HTTP service and the review page: `nadie serve`.

    request → observing → browser_guard → authentication → limits → routes → workers → answer

Each of the first four is one small ASGI layer. The work itself runs in worker processes that hold the models, so
that a hostile text can cost one worker its life but never the service.
"""

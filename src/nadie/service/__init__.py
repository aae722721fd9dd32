"""The HTTP service and the review page: `nadie serve`.

    request → middleware → routes → job → worker → result → response

Models run in worker processes, so a text that crashes a library or takes too long only costs one worker, which is
replaced.
"""

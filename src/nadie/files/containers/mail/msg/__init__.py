"""Outlook messages: compound files with properties."""

from nadie.files.container import Container


class Msg(Container):
    """`.msg`."""

    name = "msg"
    title = "an Outlook message"
    extra = "office"
    opened = "nadie.files.containers.mail.msg.container:OutlookMessage"

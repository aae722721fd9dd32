"""The routes of signing on: the caller, sessions of the page, and the people of the service with their roles."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from nadie.service.http.openapi import problems
from nadie.service.http.signon import COOKIE, Caller
from nadie.service.http.state import Service
from nadie.service.people import NewToken, Person
from nadie.service.problems import ProblemError
from nadie.service.schemas import Body, Name
from nadie.service.tokens import Permission

PersonName = Annotated[Name, Field(min_length=1, max_length=60)]
Hours = Annotated[float, Field(strict=True, ge=0, le=24 * 31)]
_OVERLAP_HOURS = 24.0


class MeBody(Body):
    """The caller, their permissions, and the data that the page needs for signing off."""

    name: str
    permissions: list[str]
    sign_on: Literal["none", "token", "proxy"]
    logout: str = Field(default="", description="The path for signing off at the proxy")
    idle_seconds: float = Field(default=0, description="The time of inactivity after which the page locks itself")
    expires: str = Field(default="", description="The time at which the token expires; empty if it does not")


class RoleBody(Body):
    """The permissions of a person."""

    name: PersonName
    permissions: list[Permission]


class NewPerson(RoleBody):
    """Somebody to add; their token expires after these days."""

    days: int | None = Field(strict=True, default=None, ge=1, le=3650)


class RotateBody(Body):
    """Whose token is rotated, and for how many hours the old one still works."""

    name: PersonName
    hours: Hours = _OVERLAP_HOURS


class NameBody(Body):
    """A person."""

    name: PersonName


class Empty(Body):
    """A body without fields."""


def router(service: Service) -> APIRouter:
    """`/v1/me`, `/v1/session` and `/v1/people`."""
    routes = APIRouter(prefix="/v1", tags=["people"], responses=problems(404))
    _add_own(routes, service)
    _add_session(routes, service)
    _add_people(routes, service)
    return routes


def _caller(request: Request) -> Caller:
    caller: Caller = request.scope["nadie.sign_on"]
    return caller


def _add_own(routes: APIRouter, service: Service) -> None:
    @routes.get("/me", summary="The caller and their permissions")
    async def me(request: Request) -> MeBody:
        return _me(service, _caller(request))

    @routes.post("/me/rotate", summary="A new token for the caller")
    def rotate_own(body: Empty, request: Request) -> NewToken:
        """It expires when the old one would have; that one, and its sessions, are accepted for another 24 hours.

        The request must have the token itself: whoever gets hold of a session has it for its hours only.
        """
        caller = _caller(request)
        if not caller.token:
            raise ProblemError("invalid", "send the token that is to be replaced: `Authorization: Bearer TOKEN`")
        made = service.people.rotate(caller.name, _OVERLAP_HOURS, caller.permissions, renewed=False)
        service.audit(caller.name, "token rotated", {"person": caller.name})
        return made


def _me(service: Service, caller: Caller) -> MeBody:
    options = service.options
    return MeBody(
        name=caller.name,
        permissions=sorted(caller.permissions),
        sign_on=caller.sign_on,
        logout=options.proxy.logout if options.proxy is not None and caller.sign_on == "proxy" else "",
        idle_seconds=60 * options.idle_minutes if caller.sign_on != "none" else 0,
        expires=caller.expires,
    )


def _add_session(routes: APIRouter, service: Service) -> None:
    sign_on = service.sign_on

    @routes.post("/session", summary="Open a session: later requests of the page need no token")
    def open_session(body: Empty, request: Request, response: Response) -> MeBody:
        """Send the token once, in `Authorization`. The response sets a cookie that scripts cannot read."""
        caller = _caller(request)
        secret = sign_on.open_session(caller)
        _set_cookie(request, response, secret, sign_on.session_seconds)
        return _me(service, caller)

    @routes.delete("/session", status_code=204, summary="End the session")
    def close_session(request: Request) -> Response:
        sign_on.close_session(request.cookies.get(COOKIE, ""))
        response = Response(status_code=204)
        _set_cookie(request, response, "", 0)
        return response


def _set_cookie(request: Request, response: Response, secret: str, seconds: int) -> None:
    path, is_secure = f"{request.scope.get('nadie.root', '')}/", request.url.scheme == "https"
    response.set_cookie(COOKIE, secret, seconds, path=path, secure=is_secure, httponly=True, samesite="strict")


def _add_people(routes: APIRouter, service: Service) -> None:
    people = service.people

    @routes.get("/people", summary="Everybody who can sign on, with their roles, and the age and last use of tokens")
    def everybody() -> list[Person]:
        return people.all()

    @routes.post("/people", status_code=201, summary="Add somebody; their token is in the response, and nowhere else")
    def add(body: NewPerson, request: Request) -> NewToken | None:
        """Without a token file: somebody whom the proxy names. Nobody can give a permission that they do not have."""
        caller = _caller(request)
        made = people.add(body.name, body.permissions, body.days, caller.permissions)
        service.audit(caller.name, "person added", {"person": body.name, "permissions": sorted(body.permissions)})
        return made

    @routes.put("/people", status_code=204, summary="Change the permissions of somebody")
    def change(body: RoleBody, request: Request) -> None:
        caller = _caller(request)
        people.set_permissions(body.name, body.permissions, caller.permissions)
        service.audit(caller.name, "person changed", {"person": body.name, "permissions": sorted(body.permissions)})

    @routes.post("/people/rotate", summary="A new token for somebody; the old one works for some more hours")
    def rotate(body: RotateBody, request: Request) -> NewToken:
        caller = _caller(request)
        made = people.rotate(body.name, body.hours, caller.permissions)
        service.audit(caller.name, "token rotated", {"person": body.name})
        return made

    @routes.post("/people/revoke", status_code=204, summary="Revoke the token or the permissions of somebody")
    def revoke(body: NameBody, request: Request) -> None:
        caller = _caller(request)
        people.revoke(body.name, caller.permissions)
        service.audit(caller.name, "person revoked", {"person": body.name})

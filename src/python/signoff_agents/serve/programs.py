"""Finds what is to be served: a function that makes a crew, a flow or another program anew for each run."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any, cast

from .runs import Program


class NotServable(Exception):
    """What was named can't be served. The message says what to do."""


def load_program(target: str) -> Program:
    """
    Imports `module:function` from the working directory or the installed packages, and calls the function once, to see what it
    makes.

    Raises `NotServable`; whatever the module itself raises is passed on.
    """
    module_name, _, name = target.partition(":")
    if not module_name or not name:
        raise NotServable(f"{target!r} must be MODULE:FUNCTION, such as my_crew:make_crew.")
    # Five seconds a task where there is no network, and a question on the terminal.
    os.environ.setdefault("CREWAI_TRACING_ENABLED", "false")
    sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name.split(".")[0] and error.name != module_name:
            raise
        hint = f" Leave the .py away: {module_name.removesuffix('.py')}:{name}." if module_name.endswith(".py") else ""
        raise NotServable(f"There is no module {module_name} here or among the installed packages.{hint}") from None
    make = getattr(module, name, None)
    if not callable(make):
        raise NotServable(f"{module_name} has no function {name}.")
    return program_of(make)


def program_of(make: Callable[[], Any]) -> Program:
    """Raises `NotServable` unless the function makes a crew, a flow or a `Program`."""
    made = make()
    if made is make or isinstance(made, type):
        raise NotServable("The function must return a new crew, not a class.")
    if callable(getattr(made, "run", None)) and hasattr(made, "inputs") and hasattr(made, "required"):
        return cast(Program, made)
    if "crewai" in sys.modules:
        from .crewai_crew import CrewProgram, is_crew

        if is_crew(made):
            return CrewProgram(make, made)
        from .crewai_flow import FlowProgram, is_flow

        if is_flow(made):
            return FlowProgram(make, made)
    raise NotServable(f"The function must return a Crew or a Flow of CrewAI. It returned {type(made).__name__}.")

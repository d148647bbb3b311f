"""Runs CrewAI's InvokeCrewAIAutomationTool on the crews at the addresses that are given, and prints what it returns, as JSON."""

import importlib.util
import json
import sys
from pathlib import Path

# Its package imports all its tools, and most of them need packages of their own.
package = importlib.util.find_spec("crewai_tools")
assert package is not None
assert package.origin is not None
file = Path(package.origin).parent / "tools/invoke_crewai_automation_tool/invoke_crewai_automation_tool.py"
spec = importlib.util.spec_from_file_location("invoke_crewai_automation_tool", file)
assert spec is not None
assert spec.loader is not None
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def run(address: str, token: str) -> str:
    tool = module.InvokeCrewAIAutomationTool(
        crew_api_url=address,
        crew_bearer_token=token,
        crew_name="writers",
        crew_description="Writes.",
        max_polling_time=30,
    )
    return tool._run(topic="tea")


token, *addresses = sys.argv[1:]
print(json.dumps([run(address, token) for address in addresses]))

"""Asks about a draft until people approve it, then which of many days suits."""

import json

from signoff_agents import ask

draft, number = "Tea at noon.", 1
while not (answer := ask("Invitation", draft, thread="invitation", id=f"round-{number}")).approved:
    draft, number = f"{draft}\n\n{answer.feedback}", number + 1
day = ask("Which day?", "All of them are free.", outcomes=[f"Day {each}" for each in range(1, 32)])
print(json.dumps([number, answer.edited_text or draft, answer.feedback, day.outcome, day.by.name]))

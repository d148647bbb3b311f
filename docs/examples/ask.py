"""Asks people and waits for their answer. Exits with 0 only if they approved. Needs the package in src/python.

Set SIGNOFF_URL (the bot's PUBLIC_URL), SIGNOFF_ASK_TOKEN and SIGNOFF_POLICY (the name of a crew):

    python ask.py "Deploy 1.4" "All checks are **green**."
"""

import sys

from signoff_agents import AskRefused, ask

try:
    answer = ask(sys.argv[1], sys.argv[2], expires_in="4h")
except AskRefused as refused:
    sys.exit(str(refused))
print(answer)
sys.exit(0 if answer.approved else 1)

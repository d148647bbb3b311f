"""Asks people and waits for their answer, with the standard library alone. Exits with 0 only if they approved.

Set SIGNOFF_URL (the bot's PUBLIC_URL), SIGNOFF_ASK_TOKEN and SIGNOFF_POLICY (the name of a crew):

    python ask.py "Deploy 1.4" "All checks are **green**."
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ["SIGNOFF_URL"].rstrip("/")
HEADERS = {"Authorization": f"Bearer {os.environ['SIGNOFF_ASK_TOKEN']}", "Content-Type": "application/json"}


def call(method, path, body=None):
    """Tries again where Signoff can't be reached or has trouble that passes."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        request = urllib.request.Request(URL + path, data, HEADERS, method=method)
        try:
            with urllib.request.urlopen(request, timeout=70) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                sys.exit(f"Signoff refused this: {json.load(error)['message']}")
        except OSError:
            pass
        time.sleep(5)


def ask(title, text, **more):
    # The same id asks once, so that this may be sent again.
    body = {"policy": os.environ["SIGNOFF_POLICY"], "title": title, "text": text, "id": str(uuid.uuid4()), **more}
    ref = call("POST", "/asks", body)["ref"]
    while (answer := call("GET", f"/asks/{ref}?wait=50"))["status"] == "waiting":
        pass
    return answer


if __name__ == "__main__":
    answer = ask(sys.argv[1], sys.argv[2], expires_in="4h")
    who = (answer.get("by") or {}).get("name", "nobody")
    print(f"{answer.get('decision') or answer['status']} by {who}" + (f": {answer['feedback']}" if answer.get("feedback") else ""))
    sys.exit(0 if answer.get("decision") == "approved" else 1)

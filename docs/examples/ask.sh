#!/bin/sh
# Asks people what a file of JSON says, and waits for their answer, with curl alone:
#   sh ask.sh ask.json
# Prints the answer as JSON, and exits with 0 only if they approved. Set SIGNOFF_URL (the bot's PUBLIC_URL) and SIGNOFF_ASK_TOKEN.
# With an "id" in the file it is asked once, however often curl has to try.
set -eu

call() {
  curl -fsS --retry 5 --retry-delay 1 --retry-connrefused -H "Authorization: Bearer $SIGNOFF_ASK_TOKEN" "$@"
}
field() {
  sed -n "s/.*\"$1\":\"\([a-z0-9]*\)\".*/\1/p"
}

ref=$(call --data-binary "@$1" "$SIGNOFF_URL/asks" | field ref)
answer=$(call "$SIGNOFF_URL/asks/$ref?wait=50")
while [ "$(echo "$answer" | field status)" = waiting ]; do
  answer=$(call "$SIGNOFF_URL/asks/$ref?wait=50")
done

echo "$answer"
[ "$(echo "$answer" | field decision)" = approved ]

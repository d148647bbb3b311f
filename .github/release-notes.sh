#!/usr/bin/env bash
# Prints what CHANGELOG.md says about a version, for the notes of its release: .github/release-notes.sh 0.3.0
# Fails where it says nothing, so that no release goes out without notes.
set -euo pipefail

version=${1:?say which version}
changelog=$(dirname "$0")/../CHANGELOG.md

notes=$(awk -v heading="## [$version]" '
  /^## / { inside = index($0, heading) == 1; next }
  inside
' "$changelog")

if [ -z "${notes//[[:space:]]/}" ]; then
  echo "CHANGELOG.md says nothing about version $version." >&2
  exit 1
fi
printf '%s\n' "${notes#$'\n'}"

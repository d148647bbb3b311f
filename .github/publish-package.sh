#!/usr/bin/env bash
# Publishes a package to npm, unless the registry has this version of it: .github/publish-package.sh src/sandbox/crew-service
# What npm needs to know otherwise stands in the package's publishConfig.
set -euo pipefail

cd "${1:?say which folder}"
name=$(jq -r .name package.json)
version=$(jq -r .version package.json)

if [ "$(npm view "$name@$version" version 2> /dev/null)" = "$version" ]; then
  echo "$name $version is published already."
  exit 0
fi
case "$version" in
  # Otherwise it would be what everybody installs.
  *-*) npm publish --tag next ;;
  *) npm publish ;;
esac

#!/usr/bin/env bash
# Installs the command line into a folder of the runner.
set -euo pipefail
if [[ ! "${CLI_VERSION}" =~ ^[0-9A-Za-z][0-9A-Za-z.-]{0,40}$ ]]; then
  echo "::error::The version must be a version of @toolhost/cli."
  exit 2
fi
npm install --global --ignore-scripts --no-audit --no-fund \
  --prefix "${RUNNER_TEMP}/toolhost" "@toolhost/cli@${CLI_VERSION}"
echo "${RUNNER_TEMP}/toolhost/bin" >> "${GITHUB_PATH}"

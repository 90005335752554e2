#!/usr/bin/env bash
# In a pull request: comments the diff and tests. On the default branch: tests and pushes.
set -euo pipefail

marker="<!-- toolhost -->"
comment="${RUNNER_TEMP}/toolhost-comment.md"

# The event that runs code of a fork with secrets.
if [[ "${GITHUB_EVENT_NAME}" == "pull_request_target" || "${GITHUB_EVENT_NAME}" == "workflow_run" ]]; then
  echo "::error::Toolhost does not run on ${GITHUB_EVENT_NAME}. Use pull_request and push."
  exit 2
fi
if [[ -z "${TOOLHOST_API_KEY:-}" ]]; then
  echo "::notice::There is no API key, as in pull requests of forks. Nothing was compared or tested."
  exit 0
fi
if [[ "${GITHUB_EVENT_NAME}" == "pull_request" && "${PULL_REPOSITORY}" != "${GITHUB_REPOSITORY}" ]]; then
  echo "::notice::The pull request is from a fork. Nothing was compared or tested."
  exit 0
fi

# Replaces the comment of an earlier run. The text is read from a file, and is never part of a command.
post_comment() {
  local comments="repos/${GITHUB_REPOSITORY}/issues/${PULL_NUMBER}/comments"
  local filter=".[] | select(.user.type == \"Bot\" and (.body | startswith(\"${marker}\"))) | .id"
  local earlier
  earlier="$(gh api "${comments}" --paginate --jq "${filter}" | head -n 1)"
  if [[ "${earlier}" =~ ^[0-9]+$ ]]; then
    gh api --silent --method PATCH "repos/${GITHUB_REPOSITORY}/issues/comments/${earlier}" -F "body=@${comment}"
  else
    gh api --silent --method POST "${comments}" -F "body=@${comment}"
  fi
}

if [[ "${GITHUB_EVENT_NAME}" == "pull_request" && "${PULL_NUMBER}" =~ ^[0-9]+$ ]]; then
  { echo "${marker}"; toolhost diff --markdown; } > "${comment}"
  cat "${comment}" >> "${GITHUB_STEP_SUMMARY}"
  # A token without the permission to comment is no reason to fail.
  post_comment || echo "::warning::The diff could not be posted. Grant pull-requests: write."
fi

# What tools print could otherwise be a command for the runner. The token that ends this is random.
pause="$(head -c 24 /dev/urandom | base64 | tr -dc 'A-Za-z0-9')"
echo "::stop-commands::${pause}"
trap 'echo "::${pause}::"' EXIT

toolhost test --junit "${JUNIT}"

if [[ "${GITHUB_EVENT_NAME}" == "push" && "${GITHUB_REF}" == "refs/heads/${DEFAULT_BRANCH}" && "${IS_FORK}" != "true" ]]; then
  toolhost push
fi

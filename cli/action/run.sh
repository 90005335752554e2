#!/usr/bin/env bash
# In a pull request: comments the diff and tests. On the default branch: tests and pushes.
set -euo pipefail

# What programs print could otherwise be a command for the runner. The token that ends this is random.
pause_commands() {
  token="$(head -c 24 /dev/urandom | base64 | tr -dc 'A-Za-z0-9')"
  echo "::stop-commands::${token}"
}
resume_commands() {
  # Starts a line, whatever was printed before.
  printf '\n::%s::\n' "${token}"
}
annotate() {
  resume_commands
  echo "::$1::$2"
  pause_commands
}
pause_commands
trap resume_commands EXIT

marker="<!-- toolhost -->"
comment="${RUNNER_TEMP}/toolhost-comment.md"

# The event that runs code of a fork with secrets.
if [[ "${GITHUB_EVENT_NAME}" == "pull_request_target" || "${GITHUB_EVENT_NAME}" == "workflow_run" ]]; then
  annotate error "Toolhost does not run on pull_request_target and workflow_run. Use pull_request and push."
  exit 2
fi
if [[ -z "${TOOLHOST_API_KEY:-}" ]]; then
  annotate notice "There is no API key, as in pull requests of forks. Nothing was compared or tested."
  exit 0
fi
if [[ "${GITHUB_EVENT_NAME}" == "pull_request" && "${PULL_REPOSITORY}" != "${GITHUB_REPOSITORY}" ]]; then
  annotate notice "The pull request is from a fork. Nothing was compared or tested."
  exit 0
fi

# Replaces the comment of an earlier run. The text is read from a file, and is never part of a command. Without a
# difference ($1 is 0), there is no comment unless an earlier run wrote one.
post_comment() {
  local comments="repos/${GITHUB_REPOSITORY}/issues/${PULL_NUMBER}/comments"
  local filter=".[] | select(.user.type == \"Bot\" and (.body | startswith(\"${marker}\"))) | .id"
  local earlier
  earlier="$(gh api "${comments}" --paginate --jq "${filter}")" || return 1
  earlier="${earlier%%$'\n'*}"
  if [[ "${earlier}" =~ ^[0-9]+$ ]]; then
    gh api --silent --method PATCH "repos/${GITHUB_REPOSITORY}/issues/comments/${earlier}" -F "body=@${comment}"
  elif [[ "$1" != "0" ]]; then
    gh api --silent --method POST "${comments}" -F "body=@${comment}"
  fi
}

if [[ "${GITHUB_EVENT_NAME}" == "pull_request" && "${PULL_NUMBER}" =~ ^[0-9]+$ ]]; then
  echo "${marker}" > "${comment}"
  # 0: no difference, 1: differences. Other codes are errors.
  result=0
  toolhost diff --markdown --exit-code >> "${comment}" || result=$?
  if (( result > 1 )); then
    printf '%s\n%s\n' "${marker}" "**Toolhost:** the tools could not be compared. The log of the job shows why." > "${comment}"
  fi
  cat "${comment}" >> "${GITHUB_STEP_SUMMARY}"
  # A token without the permission to comment is no reason to fail.
  post_comment "${result}" || annotate warning "The diff could not be posted. Grant pull-requests: write."
  if (( result > 1 )); then
    exit "${result}"
  fi
fi

toolhost test --junit "${JUNIT}"

if [[ "${GITHUB_EVENT_NAME}" == "push" && "${GITHUB_REF}" == "refs/heads/${DEFAULT_BRANCH}" && "${IS_FORK}" != "true" ]]; then
  if [[ "${DELETE}" == "true" ]]; then
    toolhost push --delete
  else
    toolhost push
  fi
fi

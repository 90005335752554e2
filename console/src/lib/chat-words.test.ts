import { expect, test } from "vitest";
import { platformOf, problemWords } from "./chat-words.ts";

test.each([
  ["chat.postMessage: invalid_auth", "Slack no longer lets the bot in."],
  ["chat.postMessage: channel_not_found", "The bot is not let into that channel any more."],
  ["users.info: no answer", "Slack did not answer."],
  ["internal", "Something went wrong in the service. Its log tells more, under this id."],
  ["tool_not_found", "The service did not do what was asked."],
  ["chat.update: block_mismatch", "Slack did not do what it was asked."],
  ["The database cannot be reached.", ""],
])("of %s is said: %s", (problem, words) => {
  expect(problemWords(problem, "slack")).toBe(words);
});

test("a platform that is not known goes by its own name", () => {
  expect(platformOf("discord")).toMatchObject({ label: "Discord", team: "server" });
  expect(platformOf("teams")).toMatchObject({ label: "teams", team: "team" });
});

import { expect, test } from "vitest";
import { chatPlatform, chatProblemText } from "./chat-labels.ts";

test("a problem is told by its kind, in the platform's words", () => {
  expect(chatProblemText("missing_right", "discord")).toBe(
    "The app lacks a right at Discord. Connect the server again.",
  );
});

test("a problem that is a sentence, or of no known kind, speaks for itself", () => {
  expect([chatProblemText("outage", "slack"), chatProblemText(null, "slack")]).toEqual([
    undefined,
    undefined,
  ]);
});

test("a platform that is not known goes by its own name", () => {
  expect(chatPlatform("discord")).toMatchObject({ label: "Discord", team: "server" });
  expect(chatPlatform("teams")).toMatchObject({ label: "teams", team: "team" });
});

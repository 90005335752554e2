import { expect, test } from "vitest";
import { platformOf, problemWords } from "./chat-words.ts";

test("a problem is told by its kind, in the platform's words", () => {
  expect(problemWords("missing_right", "discord")).toBe(
    "The app lacks a right at Discord. Connect the server again.",
  );
});

test("a problem that is a sentence, or of no known kind, speaks for itself", () => {
  expect([problemWords("outage", "slack"), problemWords(null, "slack")]).toEqual([
    undefined,
    undefined,
  ]);
});

test("a platform that is not known goes by its own name", () => {
  expect(platformOf("discord")).toMatchObject({ label: "Discord", team: "server" });
  expect(platformOf("teams")).toMatchObject({ label: "teams", team: "team" });
});

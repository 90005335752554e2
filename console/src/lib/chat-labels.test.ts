import { describe, expect, it } from "vitest";
import { chatPlatform, chatProblemText } from "./chat-labels.ts";

describe("chatProblemText", () => {
  it("describes a kind of problem in the platform's terms", () => {
    expect(chatProblemText("missing_right", "discord")).toBe(
      "The app is missing a permission at Discord. Reconnect the Discord server.",
    );
  });

  it("returns undefined for an outage and for no known kind", () => {
    expect([chatProblemText("outage", "slack"), chatProblemText(null, "slack")]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("chatPlatform", () => {
  it("names an unknown platform by its ID", () => {
    expect(chatPlatform("discord")).toMatchObject({ label: "Discord", team: "Discord server" });
    expect(chatPlatform("irc")).toMatchObject({ label: "irc", team: "chat" });
  });
});

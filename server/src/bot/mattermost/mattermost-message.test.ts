import { expect, it } from "vitest";
import type { ChatBlock } from "#core/chat";
import { showsWhole, toMattermostMessage } from "./mattermost-message.ts";

const rendering = { baseUrl: "https://toolhost.example", botToken: "token" };
const run: ChatBlock = {
  kind: "buttons",
  buttons: [{ label: "Run", questionId: "q", choice: "run" }],
};

it("has no buttons to press on a message that is cut", () => {
  const pieces = Array.from({ length: 4 }, (): ChatBlock => ({
    kind: "code",
    text: "`".repeat(2_400),
  }));
  for (const [blocks, isWhole] of [
    [[...pieces.slice(1), run], true],
    [[...pieces, run], false],
  ] as const) {
    const { message, props } = toMattermostMessage(rendering, blocks);
    expect(showsWhole(blocks)).toBe(isWhole);
    expect(message.endsWith("…")).toBe(!isWhole);
    expect(JSON.stringify(props).includes('"Run"')).toBe(isWhole);
  }
});

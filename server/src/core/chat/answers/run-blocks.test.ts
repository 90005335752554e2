import { describe, expect, it } from "vitest";
import { showRunning } from "./run-blocks.ts";

describe("showRunning", () => {
  it("shows a question as plain text, with a link to the page of the run", () => {
    const message = `Where to, *<!channel>*? ${"x".repeat(2_000)}`;
    const question = { id: "q1", message, schema: {}, expiresAt: "2026-11-24T00:00:00.000Z" };
    const shown = { title: "Trips", baseUrl: "https://tools.example", stopId: undefined };
    const [text, code, link] = showRunning({ runId: "r1", question }, shown);
    expect(text).toMatchObject({ kind: "text", text: expect.stringContaining("asks you") });
    expect(code).toMatchObject({ kind: "code", text: expect.stringMatching(/^Where to, \*<!ch/) });
    expect(JSON.stringify(code).length).toBeLessThan(1_000);
    expect(link).toMatchObject({ kind: "link", url: "https://tools.example/runs/r1" });
  });
});

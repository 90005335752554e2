import { describe, expect, it } from "vitest";
import { parseInTurns } from "./parse-in-turns.ts";

describe("parseInTurns", () => {
  it("lets other events be handled between long texts", async () => {
    let isDone = false;
    let turns = 0;
    const count = () => {
      if (isDone) return;
      turns += 1;
      setImmediate(count);
    };
    setImmediate(count);
    const text = JSON.stringify("x".repeat(65_536));
    const values = await parseInTurns<string>([text, '"a"', text, text]);
    isDone = true;
    expect(values.map((value) => value.length)).toEqual([65_536, 1, 65_536, 65_536]);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});

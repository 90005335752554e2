import { describe, expect, it } from "vitest";
import { createRanking } from "./ranking.ts";

const minute = 60_000;

describe("createRanking", () => {
  it("returns the subjects with the most runs of late, and those with the most failures", () => {
    let now = 0;
    const ranking = createRanking<string>(100, () => now);
    const note = (key: string, times: number, outcome: "completed" | "failed") => {
      for (let count = 0; count < times; count++) ranking.note(key, key, outcome);
    };
    note("formerly busy", 100, "completed");
    now = 60 * minute;
    note("busy", 20, "completed");
    note("failing", 3, "failed");
    note("quiet", 5, "completed");
    expect(ranking.top(1)).toMatchObject([
      { labels: "busy", ends: { completed: 20, failed: 0 } },
      { labels: "failing", ends: { completed: 0, failed: 3 } },
    ]);
    expect(ranking.top(2).map(({ labels }) => labels)).toEqual(["busy", "quiet", "failing"]);
  });

  it("forgets the subject that was unused for longest when there are too many", () => {
    const ranking = createRanking<number>(3);
    for (const key of [1, 2, 3, 1, 4]) ranking.note(String(key), key, "completed");
    expect(new Set(ranking.top(9).map(({ labels }) => labels))).toEqual(new Set([1, 3, 4]));
  });
});

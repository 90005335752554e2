import { describe, expect, it } from "vitest";
import { createBm25Ranker } from "../search/ranker.ts";
import { createLearnedRanker, isHeldOut } from "./learned-ranker.ts";
import type { LearnedSearch } from "./learned-ranker.ts";
import { toSearchWords } from "./search-words.ts";

const tool = (id: string, title: string, description: string) => ({
  id,
  name: `${id}_a1b2`,
  title,
  description,
  inputSchema: {},
});
const ledger = tool("ledger", "Ledger entry", "Writes an entry to the general ledger.");
const base = createBm25Ranker();
for (const each of [
  ledger,
  tool("mail", "Send mail", "Sends a message."),
  tool("post", "Send post", "Sends a message."),
  tool("weather", "Weather", "Tells the forecast."),
])
  base.put(each);

const search = (userId: string, query: string, toolId: string): LearnedSearch => {
  const { words = "", terms = "" } = toSearchWords(query) ?? {};
  return { userId, words, terms, toolId };
};
const learn = (searches: LearnedSearch[]) => createLearnedRanker(base, searches);
const ids = (found?: { id: string }[]) => found?.map(({ id }) => id);

describe("createLearnedRanker", () => {
  it("finds a tool by words that led two people to it", async () => {
    const learned = await learn([
      search("ada", "kaching", "ledger"),
      search("bob", "kaching thing", "ledger"),
    ]);
    expect(ids(base.search("kaching", 5))).toEqual([]);
    expect(learned?.isUsed).toBe(true);
    expect(ids(learned?.search("kaching", 5))).toEqual(["ledger"]);
  });

  it("explains which words led people to a tool", async () => {
    const learned = await learn([
      search("ada", "kaching", "ledger"),
      search("bob", "kaching thing", "ledger"),
    ]);
    const explain = learned?.explain("please kaching a thing");
    const reason = { word: "kaching", matched: "kaching", through: "learned", fields: [] };
    expect(explain?.("ledger")).toEqual([reason]);
    expect(explain?.("mail")).toEqual([]);
    expect(learned?.explain("led")("ledger")).toEqual([]);
  });

  it("learns nothing from one person, however often they search", async () => {
    const many = Array.from({ length: 100 }, () => search("ada", "kaching", "ledger"));
    expect(await learn(many)).toBeUndefined();
  });

  it("counts few searches of a person for a tool", async () => {
    const word = (index: number) =>
      `q${"abcdefghij"[index % 10]}${"klmnopqrst"[Math.floor(index / 10)]}`;
    const flood = Array.from({ length: 100 }, (_, index) => search("eve", word(index), "mail"));
    const other = Array.from({ length: 100 }, (_, index) =>
      search("bob", word(99 - index), "mail"),
    );
    expect(await learn([...flood, ...other])).toBeUndefined();
  });

  it("learns nothing about a tool that is not shared, and forgets one that becomes private", async () => {
    const searches = [search("ada", "kaching", "ledger"), search("bob", "kaching", "ledger")];
    const learned = await learn(searches);
    base.put(ledger, "ada");
    expect(learned?.explain("kaching")("ledger")).toEqual([]);
    expect(learned?.search("kaching", 5, "bob")).toEqual([]);
    expect(learned?.search("kaching", 5, "ada")).toEqual([]);
    expect(await learn(searches)).toBeUndefined();
    base.put(ledger);
  });

  it("keeps the tool of the words in front of one that was learned for other words", async () => {
    const learned = await learn([
      search("ada", "forecast", "ledger"),
      search("bob", "forecast", "ledger"),
    ]);
    expect(learned?.isUsed).toBe(true);
    expect(ids(learned?.search("weather forecast", 5))?.[0]).toBe("weather");
  });

  it("is not used if it makes queries worse that it did not learn from", async () => {
    // Eve and Mallory run one tool after any search; the held-out queries of others show the harm.
    const harmful = ["eve", "mallory"].flatMap((user) =>
      ["send", "deliver", "send off"].map((query) => search(user, query, "mail")),
    );
    const held = heldOut(["send", "deliver"]).map((query) => search("ada", query, "post"));
    expect(held.length).toBeGreaterThan(2);
    expect((await learn(harmful))?.isUsed).toBe(true);
    const learned = await learn([...harmful, ...held]);
    expect(ids(base.search("send", 5))).toEqual(["post", "mail"]);
    expect(ids(learned?.search("send", 5))).toEqual(["mail", "post"]);
    expect(learned?.isUsed).toBe(false);
  });

  it("is used if it helps more people than it makes searches of one person worse", async () => {
    const trained = ["ada", "bob"].flatMap((user) =>
      ["send", "deliver", "send off"].map((query) => search(user, query, "mail")),
    );
    const evil = heldOut(["send", "deliver"]).map((query) => search("eve", query, "post"));
    const [query = ""] = heldOut(["deliver"]);
    const honest = ["ada", "bob"].map((user) => search(user, query, "mail"));
    expect((await learn([...trained, ...evil]))?.isUsed).toBe(false);
    expect(evil.length).toBeGreaterThan(honest.length);
    expect((await learn([...trained, ...evil, ...honest]))?.isUsed).toBe(true);
  });

  it("does not match parts of IDs", async () => {
    const id = "019a42ab-0000-7000-8000-000000000042";
    base.put({ ...ledger, id });
    const learned = await learn([search("ada", "kaching", id), search("bob", "kaching", id)]);
    expect(ids(learned?.search("kaching", 5))).toEqual([id]);
    for (const query of ["42 send", "ab send", "42", " "])
      expect(ids(learned?.search(query, 5))).not.toContain(id);
    base.remove(id);
  });

  it("decides the same for any order of searches", async () => {
    const held = heldOut(["kaching"]).map((query) => search("ada", query, "ledger"));
    const searches = [
      search("ada", "kaching", "ledger"),
      search("bob", "kaching", "ledger"),
      ...held,
    ];
    const [one, other] = [await learn(searches), await learn(searches.toReversed())];
    expect(one?.isUsed).toBe(true);
    expect(other?.isUsed).toBe(true);
    expect(one?.search("kaching", 5)).toEqual(other?.search("kaching", 5));
  });
});

/** Queries with one of the words that nothing is learned from, found by learning from each. */
function heldOut(words: readonly string[]): string[] {
  const fillers = ["red", "blue", "green", "cat", "dog", "sun", "sea", "sky", "ice", "fire"];
  return words
    .flatMap((word) => fillers.map((filler) => `${word} ${filler}`))
    .filter((query) => isHeldOut(toSearchWords(query)?.terms ?? ""));
}

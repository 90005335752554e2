import { describe, expect, it } from "vitest";
import { getLexicon } from "./lexicon/lexicon.ts";
import { parseQuery } from "./query.ts";

describe("parseQuery", () => {
  it("drops chat words unless the query has no others", () => {
    const sequenceOf = (text: string) => parseQuery(text, getLexicon()).sequence;
    expect(sequenceOf("Hi, could you please help me find a hotel?")).toEqual(["hotel"]);
    expect(sequenceOf("help me find")).toEqual(["help", "find"]);
  });
});

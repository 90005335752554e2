import { describe, expect, it } from "vitest";
import { getLexicon } from "./lexicon/lexicon.ts";
import { parseQuery } from "./query.ts";

const parse = (text: string) => parseQuery(text, getLexicon());
const meaningsOf = (text: string) =>
  parse(text).terms.flatMap(({ alternatives }) => alternatives.map(([term]) => term));

describe("parseQuery", () => {
  it("drops chat words unless the query has no others", () => {
    expect(parse("Hi, could you please help me find a hotel?").sequence).toEqual(["hotel"]);
    expect(parse("help me find").sequence).toEqual(["help", "find"]);
  });

  it.each([
    ["buy", "purchas"],
    ["how big is it", "size"],
    ["3 + 4", "add"],
    ["open https://example.com/a", "url"],
    ["Wetter", "weather"],
    ["Bildgröße", "imag"],
    ["¿qué tiempo hace en Lima?", "weather"],
    ["traduire une lettre", "translat"],
    ["天気", "weather"],
    ["Quel temps fera-t-il à Lyon ?", "weather"],
    ["taux de change dollar", "rate"],
    ["reservar sala de reuniones", "room"],
    ["I need next Monday off", "vacat"],
  ])("knows that %j may mean %s", (query, term) => {
    expect(meaningsOf(query)).toContain(term);
  });

  it("drops the function words of another language", () => {
    expect(parse("Wie wird das Wetter in der Stadt?").sequence).toEqual(["wetter", "stadt"]);
    expect(parse("die cast machine").sequence).toEqual(["die", "cast", "machin"]);
  });

  it("does not translate a foreign name in an English query", () => {
    expect(meaningsOf("find a flight to Los Angeles for the team")).not.toContain("angel");
    expect(parse("write to Marta about the report").sequence).toContain("marta");
    expect(parse("map of Rio de Janeiro").sequence).toEqual(["map", "rio", "de", "janeiro"]);
    expect(parse("world war statistics").sequence).toContain("war");
  });

  it("expects no tool to have a number", () => {
    const [number] = parse("17 apples").terms;
    expect(number).toMatchObject({ term: "17", isExpected: false });
  });
});

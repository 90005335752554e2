import { beforeAll, describe, expect, test } from "vitest";
import { createBm25Ranker, type SearchableTool, type ToolRanker } from "./ranker.ts";

function tool(
  id: string,
  title: string,
  description: string,
  properties: Record<string, unknown> = {},
) {
  const name = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")}_${id}`;
  return { id, name, title, description, inputSchema: { type: "object", properties } };
}

const tools: SearchableTool[] = [
  tool("a1b2", "Weather forecast", "Tells the weather of the coming days for a city.", {
    city: { type: "string", description: "Name of the town" },
  }),
  tool(
    "c3d4",
    "Currency converter",
    "Converts an amount of money between currencies at today's rate.",
  ),
  tool("e5f6", "Send email", "Sends a message to one or more recipients.", {
    recipients: { type: "array", items: { type: "string", description: "Mail address" } },
  }),
  tool("g7h8", "Translate text", "Translates text from one language into another."),
  tool("i9j0", "天気予報", "指定した都市の天気を調べます。"),
];

function rankerOf(all: SearchableTool[]): ToolRanker {
  const ranker = createBm25Ranker();
  for (const each of all) ranker.put(each);
  return ranker;
}

const idsOf = (ranker: ToolRanker, query: string) =>
  ranker.search(query, 10).map((found) => found.id);

describe("search", () => {
  const ranker = rankerOf(tools);

  test.each([
    ["what's the weather going to be like?", "a1b2"],
    ["Please help me convert some currencies", "c3d4"],
    ["sendEmail", "e5f6"],
    ["mail address", "e5f6"],
    ["town", "a1b2"],
    ["translation of texts", "g7h8"],
    ["東京の天気", "i9j0"],
    ["ＷＥＡＴＨＥＲ", "a1b2"],
  ])("finds the tool for %j", (query, id) => {
    expect(idsOf(ranker, query)[0]).toBe(id);
  });

  test.each([
    ["we", "a1b2"],
    ["conver", "c3d4"],
    ["curency", "c3d4"],
    ["emial", "e5f6"],
    ["weather", "a1b2"],
  ])("finds a completion or correction of %s", (typed, id) => {
    expect(idsOf(ranker, typed)).toEqual([id]);
  });

  test("scores similar words as a weak match", () => {
    expect(ranker.search("weathe", 10)[0]?.score).toBeLessThan(0.5);
  });

  test.each(["", "   ", "the of and", "we are there", "zebra teleporter", "!?…", "\u0000"])(
    "finds nothing for %j",
    (query) => {
      expect(ranker.search(query, 10)).toEqual([]);
    },
  );

  test("searches for a chat word when it is the whole query", () => {
    const finder = rankerOf([...tools, tool("k1l2", "Find user", "Looks up a person.")]);
    expect(idsOf(finder, "find")).toEqual(["k1l2"]);
  });

  test("ranks the exact name first with score 1", () => {
    expect(ranker.search("weather_forecast_a1b2", 5)[0]).toEqual({ id: "a1b2", score: 1 });
  });

  test("ignores the random suffix of a name", () => {
    expect(idsOf(ranker, "3 4 7 days")).toEqual(["a1b2"]);
  });

  test("does not take a mistyped word for one that says nothing about tools", () => {
    const mixed = rankerOf([
      tool("a000", "Weather", "Tells the forecast."),
      tool("b000", "Tax number", "Checks whether a tax number is valid."),
    ]);
    expect(idsOf(mixed, "wether")).toEqual(["a000"]);
  });

  test("does not find a tool by what it does not do", () => {
    const units = rankerOf([
      tool("a000", "Converter", "Converts units. It does not convert currencies! Doesn't round."),
      tool("b000", "Rates", "Exchange rates of currencies, which does not include coins."),
    ]);
    expect(idsOf(units, "currencies")).toEqual(["b000"]);
    expect(idsOf(units, "coins")).toEqual(["b000"]);
    expect(idsOf(units, "round")).toEqual([]);
  });

  test("ranks the older of two tools of a title first, unless the newer matches more words", () => {
    const long = "Sends a message to people, with attachments, reactions and a time in the future.";
    const same = rankerOf([
      tool("a000", "Send message", long),
      tool("b000", "Send message", "Send message in Teams."),
    ]);
    expect(idsOf(same, "send message")).toEqual(["a000", "b000"]);
    expect(idsOf(same, "send message in teams")[0]).toBe("b000");
  });

  test("ranks adjacent words above the same words apart", () => {
    const pair = rankerOf([
      tool("a000", "Records", "Lists opening and house and hours of a shop."),
      tool("b000", "Records", "Lists house and opening hours of a shop."),
    ]);
    expect(idsOf(pair, "opening hours")).toEqual(["b000", "a000"]);
  });

  test("finds tools by related words", () => {
    const related = rankerOf([
      tool("add1", "Add numbers", "Adds numbers."),
      tool("img1", "Resize image", "Changes width and height."),
      tool("inv1", "Create invoice", "Bills a customer."),
    ]);
    expect(idsOf(related, "sum two numbers")).toEqual(["add1"]);
    expect(idsOf(related, "what is 17 plus 25")[0]).toBe("add1");
    expect(idsOf(related, "how big is this picture")[0]).toBe("img1");
    expect(idsOf(related, "Rechnung schreiben")[0]).toBe("inv1");
    expect(idsOf(related, "cambiar el tamaño de la foto")[0]).toBe("img1");
    expect(idsOf(related, "画像のサイズを変更")[0]).toBe("img1");
  });

  test.each([
    ["weathr in Berlin", "a1b2"],
    ["traslate a letter", "g7h8"],
    ["curency converter", "c3d4"],
    ["sendemail", "e5f6"],
    ["e mail", "e5f6"],
  ])("finds the tool for %j, with a typing error or another spelling", (query, id) => {
    expect(idsOf(ranker, query)[0]).toBe(id);
  });

  test("finds plurals of acronyms", () => {
    const documents = rankerOf([tool("pdfs", "Merge PDFs", "Joins files.")]);
    expect(idsOf(documents, "pdf")).toEqual(["pdfs"]);
  });

  test("ignores a random suffix without a digit", () => {
    const odd = rankerOf([tool("mail", "Weather", "Tells the weather.")]);
    expect(idsOf(odd, "mail")).toEqual([]);
  });

  test("drops matches far below the best", () => {
    const found = ranker.search("translate text from one language, message", 10);
    const best = found[0]?.score ?? 0;
    expect(found[0]?.id).toBe("g7h8");
    for (const { score } of found) expect(score).toBeGreaterThanOrEqual(best * 0.39);
  });

  test("finds words of examples and outputs", () => {
    const details = [["zodiac", "Sign of the day"], { input: { city: "Reykjavik" } }];
    const detailed = rankerOf([...tools, { ...tool("d1d1", "Lookup", "Answers."), details }]);
    expect(idsOf(detailed, "zodiac")).toEqual(["d1d1"]);
    expect(idsOf(detailed, "Reykjavik")).toEqual(["d1d1"]);
  });

  test("returns matches up to the limit, ties by ID", () => {
    const many = rankerOf(
      Array.from({ length: 60 }, (_, n) => tool(`n${n}`, "Same", "Same words.")),
    );
    expect(many.search("same words", 7)).toHaveLength(7);
    expect(many.search("same words", 0)).toEqual([]);
    expect(idsOf(many, "same words").slice(0, 3)).toEqual(["n0", "n1", "n10"]);
  });
});

describe("tools of an owner", () => {
  /** Queries with known, rare, mistyped, joined, split, unknown and unfinished words. */
  const queries = [
    "weather",
    "weather of a city tomorrow",
    "zodiac sign of the day",
    "convert money between currencies",
    "weathr curency",
    "web site translator",
    "screenshot",
    "weathe",
    "transl",
    "stock_quotes_p1p1",
    "send the message to the recipients of the newsletter in their language",
  ];
  const secret = [
    tool("p1p1", "Stock quotes", "Weather, zodiac, weather and currencies of a website.", {
      zodiac: { type: "string", description: "Zebra, weathr of a teleporter" },
    }),
    tool("p2p2", "Zebra teleporter", "Takes a screen shot of the weathe website. ".repeat(300)),
    tool("p3p3", "Weather forecast translator", "Translates weather forecasts."),
  ];
  const answersOf = (ranker: ToolRanker, user?: string) =>
    queries.map((query) => ranker.search(query, 10, user));

  test("returns the same results and scores for other users, bit by bit", () => {
    const ranker = rankerOf(tools);
    const before = answersOf(ranker, "eve");
    expect(before.flat().length).toBeGreaterThan(10);
    for (const each of secret) ranker.put(each, "ada");
    for (const user of ["eve", undefined]) expect(answersOf(ranker, user)).toEqual(before);
    ranker.put(tool("e1e1", "Weather alarm", "Warns of the weather."), "eve");
    const own = answersOf(ranker, "eve");
    for (let round = 0; round < 200; round += 1) {
      ranker.put(tool(`q${round}`, `Weather ${round}`, "Weather of a city."), `user${round % 7}`);
    }
    expect(answersOf(ranker, "eve")).toEqual(own);
    for (const { id } of secret) ranker.remove(id);
    expect(answersOf(ranker, "eve")).toEqual(own);
  });

  test("returns them to their owner, with the score that a shared tool would have", () => {
    const ranker = rankerOf(tools);
    for (const each of secret) ranker.put(each, "ada");
    const find = (query: string) => ranker.search(query, 10, "ada").map(({ id }) => id);
    expect(find("zodiac")[0]).toBe("p1p1");
    expect(find("screenshot")).toEqual(["p2p2"]);
    expect(find("zebra teleporter")[0]).toBe("p2p2");
    expect(ranker.search("stock_quotes_p1p1", 3, "ada")[0]).toEqual({ id: "p1p1", score: 1 });
    for (const alike of tools.slice(0, 1)) ranker.put({ ...alike, id: "a9a9" }, "ada");
    const found = ranker.search("weather of the coming days", 10, "ada");
    const scores = new Map(found.map(({ id, score }) => [id, score]));
    expect(scores.get("a9a9")).toBe(scores.get("a1b2"));
  });

  test("returns them to everyone once they are shared, and to no one else before", () => {
    const ranker = rankerOf(tools);
    for (const owner of ["ada", null, "eve"]) {
      ranker.put(tool("p1p1", "Stock quotes", "Tells the price of a share."), owner);
      const finders = ["ada", "eve", "bob", undefined].filter(
        (user) => ranker.search("stock quotes", 5, user)[0]?.id === "p1p1",
      );
      expect(finders).toEqual(owner === null ? ["ada", "eve", "bob", undefined] : [owner]);
      expect(ranker.size()).toBe(tools.length + 1);
    }
    ranker.remove("p1p1");
    expect(idsOf(ranker, "stock quotes")).not.toContain("p1p1");
  });

  test("scores them in a catalog without shared tools", () => {
    const ranker = createBm25Ranker();
    for (const each of tools) ranker.put(each, "ada");
    const found = ranker.search("weather forecast for a city", 5, "ada");
    expect(found.map(({ id }) => id)).toEqual(["a1b2"]);
    expect(found[0]?.score).toBeGreaterThan(0.5);
  });
});

describe("the score", () => {
  const ranker = rankerOf(tools);
  const best = (query: string) => ranker.search(query, 1)[0]?.score ?? 0;

  test("ranges from 0 to 1, best first", () => {
    const scores = ranker.search("weather city money text message", 10).map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(2);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    for (const score of scores) expect(score).toSatisfy((value: number) => value > 0 && value <= 1);
  });

  test("approaches 1 for a query that a tool covers, and drops for other words", () => {
    expect(best("translate text")).toBeGreaterThan(0.9);
    expect(best("translate knitting pattern instructions")).toBeLessThan(0.5);
    expect(best("weather forecast")).toBeGreaterThan(best("weather forecast zebra teleporter"));
  });

  test("ignores the order in which tools were added", () => {
    const other = rankerOf(tools.toReversed());
    for (const query of ["weather", "text message", "money for a city"]) {
      expect(other.search(query, 10)).toEqual(ranker.search(query, 10));
    }
  });
});

describe("put and remove", () => {
  test("finds a replaced tool by its new words only", () => {
    const ranker = rankerOf(tools);
    ranker.put(tool("a1b2", "Stock quotes", "Tells the price of a share."));
    expect(ranker.size()).toBe(tools.length);
    expect(idsOf(ranker, "weather")).toEqual([]);
    expect(idsOf(ranker, "stock price")).toEqual(["a1b2"]);
  });

  test("does not find a removed tool, and ignores a second removal", () => {
    const ranker = rankerOf(tools);
    ranker.remove("c3d4");
    ranker.remove("c3d4");
    expect(ranker.size()).toBe(tools.length - 1);
    expect(idsOf(ranker, "currency")).toEqual([]);
  });

  test("scores after changes like a fresh index", () => {
    const ranker = createBm25Ranker();
    for (let round = 0; round < 30; round += 1) {
      for (const each of tools) {
        ranker.put({ ...each, description: `${each.description} round ${round} word${round}x` });
      }
      ranker.remove(tools[round % tools.length]?.id ?? "");
    }
    for (const each of tools) ranker.put(each);
    const fresh = rankerOf(tools);
    for (const query of ["weather of a city", "round", "text language"]) {
      expect(ranker.search(query, 10)).toEqual(fresh.search(query, 10));
    }
  });
});

describe("hostile input", () => {
  const ranker = rankerOf(tools);
  // The first unknown word reads what corrections need, once per process.
  beforeAll(() => void ranker.search("zzqx", 5));

  test.each([
    ["\ud800\udfff\ud800 weather \udc00"],
    ["__proto__ constructor toString hasOwnProperty"],
    ["y".repeat(2_000)],
    [Array.from({ length: 1_000 }, (_, n) => `w${n}`).join(" ")],
    ["天".repeat(100_000)],
    ["aB".repeat(100_000)],
    ["'".repeat(100_000)],
  ])("searches in bounded time (%#)", (query) => {
    const startedAt = performance.now();
    expect(ranker.search(query, 50)).toBeInstanceOf(Array);
    expect(performance.now() - startedAt).toBeLessThan(200);
  });

  test("treats names from Object's prototype as ordinary words", () => {
    const inputSchema = JSON.parse(
      '{"properties":{"__proto__":{"description":"hidden gem"},"constructor":{}}}',
    );
    const odd = rankerOf([...tools, { ...tool("z1z1", "toString", "valueOf"), inputSchema }]);
    for (const query of ["proto", "constructor", "toString", "value of", "hidden gem"]) {
      expect(idsOf(odd, query)).toEqual(["z1z1"]);
    }
    odd.remove("__proto__");
    expect(odd.size()).toBe(tools.length + 1);
  });

  test("indexes a huge or invalid schema quickly, along with the other fields", () => {
    let deep: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 50_000; level += 1)
      deep = { type: "object", properties: { [`p${level}`]: deep } };
    const wide = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, n) => [`w${n}`, { anyOf: [{}, {}, {}] }]),
    );
    const senseless = {
      properties: [1, null],
      items: 3,
      enum: "x",
      anyOf: { a: 1 },
      description: 5,
    };
    const startedAt = performance.now();
    const odd = createBm25Ranker();
    for (const [n, inputSchema] of [deep, { properties: wide }, senseless].entries()) {
      odd.put({ ...tool(`s${n}`, "Gardening", "Plants a tree."), inputSchema });
    }
    expect(idsOf(odd, "garden trees")).toHaveLength(3);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

test("indexes further tools by name and title only when full", () => {
  const ranker = createBm25Ranker(1);
  for (const each of tools) ranker.put(each);
  expect(idsOf(ranker, "coming days")).toEqual(["a1b2"]);
  expect(idsOf(ranker, "translate text")).toEqual(["g7h8"]);
  expect(idsOf(ranker, "another")).toEqual([]);
  const terms = ranker.terms();
  ranker.remove("a1b2");
  expect(ranker.terms()).toBeLessThan(terms);
});

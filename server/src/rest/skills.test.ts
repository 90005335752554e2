import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
const names: string[] = [];
beforeAll(async () => {
  test = await startTestService();
  for (const title of ["Make invoice", "Send invoice", "Weather report"]) {
    const description = "Also says why.";
    names.push(await test.makeTool("export default () => ({})", { title, description }));
  }
});
afterAll(() => test.stop());

const search = async (query: string) => {
  const { status, body } = await test.call("GET", `/skills/search?${query}`);
  expect(status).toBe(200);
  return body.results as { matches: { name: string; reasons?: object[] }[] }[];
};

describe("GET /skills/search", () => {
  it("says with explain=1 why each match was found", async () => {
    const [first, second] = await search("q=bill&q=wether&explain=1&limit=2");
    expect(first?.matches.map(({ name }) => name).toSorted()).toEqual(names.slice(0, 2).toSorted());
    for (const { reasons } of first?.matches ?? []) {
      expect(reasons).toEqual([
        { word: "bill", matched: "invoice", through: "synonym", fields: ["title"] },
      ]);
    }
    expect(second?.matches[0]?.reasons).toEqual([
      { word: "wether", matched: "weather", through: "similar", fields: ["title"] },
    ]);
  });

  it.each(["q=bill", "q=bill&explain=0", "explain=1"])("gives no reasons for %s", async (query) => {
    const matches = (await search(query)).flatMap((result) => result.matches);
    expect(matches.length).toBeGreaterThan(1);
    for (const match of matches) expect(match).not.toHaveProperty("reasons");
  });

  it("finds the same with an explanation", async () => {
    const plain = await search("q=send+an+invoice");
    const explained = await search("q=send+an+invoice&explain=1");
    const strip = ([result]: typeof plain) =>
      result?.matches.map((match) => ({ ...match, reasons: undefined }));
    expect(strip(explained)).toEqual(strip(plain));
    expect(plain[0]?.matches.length).toBeGreaterThan(0);
  });

  it("explains at most 50 matches", async () => {
    const words = Array.from({ length: 10 }, () => "q=invoice+report").join("&");
    const matches = (await search(`${words}&explain=1&limit=50`)).flatMap(
      (result) => result.matches,
    );
    const explained = matches.filter(({ reasons }) => reasons !== undefined);
    expect(explained.length).toBe(Math.min(50, matches.length));
    expect(explained.length).toBeGreaterThan(25);
  });

  it("returns 400 for another value of explain", async () => {
    const refused = await test.call("GET", "/skills/search?q=bill&explain=yes");
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("invalid_request");
  });
});

describe("a tool of another workspace", () => {
  it("is neither found nor run, whatever its name, title or visibility", async () => {
    const { apiKey } = await test.addPerson(await test.addWorkspace(), "owner");
    const headers = { authorization: `Bearer ${apiKey}` };
    const [own = ""] = names;
    const made: string[] = [];
    for (const visibility of ["public", "workspace"] as const) {
      const texts = { title: own, description: "Make invoice", visibility };
      const tool = { ...draftOf("export default () => ({ stolen: true })"), ...texts };
      const { status, body } = await test.call("POST", "/tools", tool, headers);
      expect(status).toBe(201);
      made.push(String(body.name));
    }
    for (const query of [own, "Make invoice", ...made]) {
      const [result] = await search(`q=${encodeURIComponent(query)}&limit=50&explain=1`);
      expect(result?.matches.map(({ name }) => name)).not.toContain(made[0]);
      expect(result?.matches.map(({ name }) => name)).not.toContain(made[1]);
    }
    expect((await search(`q=${own}`))[0]?.matches[0]?.name).toBe(own);
    for (const name of made) {
      expect((await test.call("POST", `/run/${name}`, {})).body.code).toBe("tool_not_found");
    }
  });
});

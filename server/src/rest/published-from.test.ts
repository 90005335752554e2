import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const first = "a".repeat(40);
const second = "b".repeat(40);
const code = (mark: number) => `export default () => ({ mark: ${mark} });`;
const source = (mark: number) => ({ source: { language: "typescript", code: code(mark) } });
const from = (text: string) => ({ "published-from": text });
const create = async (text?: string) =>
  (await test.call("POST", "/tools", draftOf(code(1)), text === undefined ? {} : from(text))).body;

describe("Published-From", () => {
  it("is stored with a new tool, and listed", async () => {
    const { name, publishedFrom } = await create(`${first}:tools/a%20b`);
    expect(publishedFrom).toEqual({ commit: first, path: "tools/a b", version: 1 });
    const { body } = await test.call("GET", "/tools?limit=100");
    expect(body).toContainEqual(expect.objectContaining({ name, publishedFrom }));
  });

  it("names the version that was published last, whatever is saved without it", async () => {
    const { name } = await create(`${first}:tools/a`);
    const published = { commit: second, path: "tools/a", version: 2 };
    const { body } = await test.call(
      "PATCH",
      `/tools/${name}`,
      source(2),
      from(`${second}:tools/a`),
    );
    expect(body).toMatchObject({ version: 2, publishedFrom: published });
    await test.call("PATCH", `/tools/${name}`, source(3));
    await test.call("POST", `/tools/${name}/versions/1/restore`);
    expect((await test.call("GET", `/tools/${name}`)).body).toMatchObject({
      version: 4,
      publishedFrom: published,
    });
  });

  it("creates no version if nothing else changes", async () => {
    const { name, title, updatedAt } = await create();
    const call = () => test.call("PATCH", `/tools/${name}`, { title }, from(`${first}:tools/a`));
    const { status, body, headers } = await call();
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe('"1"');
    const publishedFrom = { commit: first, path: "tools/a", version: 1 };
    expect(body).toMatchObject({ version: 1, updatedAt, publishedFrom });
    expect((await test.call("GET", `/tools/${name}/versions`)).body).toHaveLength(1);
  });

  it("names the commit that deleted the folder of an archived tool", async () => {
    const { name } = await create(`${first}:tools/deleted`);
    await test.call("DELETE", `/tools/${name}`, undefined, from(`${second}:tools/deleted`));
    const { body } = await test.call("GET", "/archived-tools?limit=100");
    const publishedFrom = { commit: second, path: "tools/deleted", version: 1 };
    expect(body).toContainEqual(expect.objectContaining({ name, publishedFrom }));
  });

  it("is listed with archived tools", async () => {
    const { name, publishedFrom } = await create(`${first}:tools/archived`);
    await test.call("DELETE", `/tools/${name}`);
    const { body } = await test.call("GET", "/archived-tools?limit=100");
    expect(body).toContainEqual(expect.objectContaining({ name, publishedFrom, mine: true }));
    const { apiKey } = await test.addPerson(test.workspaceId, "admin");
    const headers = { authorization: `Bearer ${apiKey}` };
    const seen = await test.call("GET", "/archived-tools?limit=100", undefined, headers);
    const other = seen.body.find((one: { name: string }) => one.name === name);
    expect(other).toMatchObject({ publishedFrom });
    expect(other.mine).toBeUndefined();
  });

  it("is accepted for the tool of another user only from admins", async () => {
    const { name, title } = await create();
    const as = async (role: string) => {
      const { apiKey } = await test.addPerson(test.workspaceId, role);
      return { authorization: `Bearer ${apiKey}`, ...from(`${first}:tools/theirs`) };
    };
    const path = `/tools/${name}`;
    const builder = await as("builder");
    const edited = await test.call("PATCH", path, source(2), builder);
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({ version: 2 });
    expect(edited.body.publishedFrom).toBeUndefined();
    const claimed = await test.call("PATCH", path, { title }, builder);
    expect(claimed.status).toBe(403);
    expect((await test.call("GET", path)).body.publishedFrom).toBeUndefined();
    const { body } = await test.call("PATCH", path, { title }, await as("admin"));
    expect(body.publishedFrom).toEqual({ commit: first, path: "tools/theirs", version: 2 });
  });

  it.each([
    "",
    "tools/a",
    `${first}:`,
    `${first}:../a`,
    `${first}:a/../b`,
    `${first}:/a`,
    `${first}:a//b`,
    `${first}:a%00`,
    `${first}:a%0Ab`,
    `${first}:%E0%A4%A`,
    `--upload-pack=x:a`,
    `${"g".repeat(40)}:a`,
    `${first}:${"a".repeat(501)}`,
  ])("returns 400 for %j", async (text) => {
    const { status } = await test.call("POST", "/tools", draftOf(code(1)), from(text));
    expect(status).toBe(400);
  });
});

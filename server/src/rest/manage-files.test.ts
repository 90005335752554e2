import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

type Call = (...sent: Parameters<TestService["call"]>) => ReturnType<TestService["call"]>;

let test: TestService;
const owner: Call = (...sent) => test.call(...sent);
let colleague: Call;
let colleagueId: string;
let viewer: Call;
let stranger: Call;
beforeAll(async () => {
  test = await startTestService({ RATE_LIMIT_REQUESTS_PER_MINUTE: "0", UPLOAD_MAX_BYTES: "1024" });
  const callAs =
    (apiKey: string): Call =>
    (method, path, body, headers) =>
      test.call(method, path, body, { authorization: `Bearer ${apiKey}`, ...headers });
  const person = await test.addPerson(test.workspaceId, "builder");
  colleagueId = person.userId;
  colleague = callAs(person.apiKey);
  viewer = callAs((await test.addPerson(test.workspaceId, "viewer")).apiKey);
  stranger = callAs((await test.addPerson(await test.addWorkspace(), "owner")).apiKey);
});
afterAll(() => test.stop());

async function upload(call: Call, content = "hello"): Promise<string> {
  const contentBase64 = Buffer.from(content).toString("base64");
  const made = await call("POST", "/upload", {
    fileName: "a.txt",
    mimeType: "text/plain",
    contentBase64,
  });
  expect(made.status).toBe(201);
  return String(made.body.fileId);
}

const listed = async (call: Call, query = "") => {
  const { body } = await call("GET", `/files${query}`);
  return (body as { fileId: string }[]).map(({ fileId }) => fileId);
};

describe("POST /upload with the query parameter fileName", () => {
  const send = (content: string, { name = "data.json", key = randomUUID(), type = "" } = {}) =>
    fetch(`${test.baseUrl}/api/v1/upload?fileName=${encodeURIComponent(name)}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${test.apiKey}`,
        "idempotency-key": key,
        ...(type === "" ? {} : { "content-type": type }),
      },
      body: Buffer.from(content),
    });

  it.each([
    ["application/json", "application/json"],
    ["text/csv; charset=utf-8", "text/csv; charset=utf-8"],
    ["", "application/octet-stream"],
  ])("stores the body as a file of the media type %j", async (type, mimeType) => {
    const response = await send("{}", { type });
    const file = (await response.json()) as { fileId: string };
    expect([response.status, file]).toMatchObject([
      201,
      { fileName: "data.json", mimeType, size: 2, status: "ready" },
    ]);
    const got = await fetch(`${test.baseUrl}/api/v1/files/${file.fileId}`, {
      headers: { authorization: `Bearer ${test.apiKey}` },
    });
    expect(await got.text()).toBe("{}");
  });

  it("replays the response for the same key and bytes, and refuses other bytes", async () => {
    const key = randomUUID();
    const first = await (await send("one", { key })).text();
    const again = await send("one", { key });
    expect([again.headers.get("idempotent-replay"), await again.text()]).toEqual(["true", first]);
    const other = await send("two", { key });
    expect([other.status, await other.json()]).toMatchObject([
      422,
      { code: "idempotency_key_reused" },
    ]);
  });

  it("refuses a body above the limit, an empty name, and an invalid media type", async () => {
    expect((await send("x".repeat(1_025))).status).toBe(413);
    expect((await send("x", { name: "" })).status).toBe(400);
    expect((await send("x", { type: "nonsense" })).status).toBe(400);
  });
});

describe("GET /files", () => {
  it("lists uploads and saved files of the workspace, newest first, in pages", async () => {
    const first = await upload(owner);
    const second = await upload(colleague);
    const tool = await test.makeTool(
      'export default async (_, ctx) => ctx.files.save({ name: "b.txt", mimeType: "text/plain", body: "b" });',
    );
    const run = await test.call("POST", `/run/${tool}`, {});
    const saved = String(run.body.output.fileId);
    expect((await listed(viewer)).slice(0, 3)).toEqual([saved, second, first]);
    expect(await listed(owner, `?runId=${run.body.runId}`)).toEqual([saved]);
    expect(await listed(owner, `?userId=${colleagueId}`)).toEqual([second]);
    expect(await listed(colleague, "?userId=me")).toEqual([second]);
    const page = await test.call("GET", "/files?limit=1");
    expect(page.body).toMatchObject([{ fileId: saved, runId: run.body.runId, size: 1 }]);
    const next = /<([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    expect(await listed(owner, new URL(next).search)).toEqual([second]);
    expect(await listed(stranger)).toEqual([]);
  });

  it("does not list files of private runs, and uploads that only they used, to others", async () => {
    const file = await upload(colleague);
    await colleague("POST", `/files/${file}/links`);
    const made = await colleague("POST", "/tools", {
      title: "Private reader",
      description: "Reads a file.",
      visibility: "private",
      inputSchema: { type: "object", properties: { file: { type: "string" } } },
      outputSchema: { properties: [] },
      fileFields: ["file"],
      source: {
        language: "javascript",
        code: 'export default async (input, ctx) => { await ctx.files.save({ name: "p", mimeType: "text/plain", body: "p" }); return {}; };',
      },
    });
    expect(made.status).toBe(201);
    const run = await colleague("POST", `/run/${made.body.name}`, { file });
    expect(run.body).toMatchObject({ status: "completed" });
    const query = `?runId=${run.body.runId}`;
    expect(await listed(colleague, query)).toHaveLength(1);
    expect(await listed(colleague)).toContain(file);
    expect(await listed(owner, query)).toEqual([]);
    expect(await listed(owner)).not.toContain(file);
    const events = await test.call("GET", `/audit-events?target=${file}`);
    expect(events.body).toMatchObject([
      { action: "file.create_link", hidden: true, details: {} },
      { action: "file.create", hidden: true, details: {} },
    ]);
  });
});

describe("DELETE /files/{fileId}", () => {
  it("deletes the file, its bytes and its links, and audits it", async () => {
    const file = await upload(colleague);
    const { body: link } = await colleague("POST", `/files/${file}/links`);
    const path = join(test.service.context.config.dataDir, "files", test.workspaceId, file);
    expect(existsSync(path)).toBe(true);
    expect((await colleague("DELETE", `/files/${file}`)).status).toBe(204);
    expect(existsSync(path)).toBe(false);
    expect((await fetch(String(link.url))).status).toBe(404);
    expect((await colleague("GET", `/files/${file}`)).status).toBe(404);
    expect((await colleague("DELETE", `/files/${file}`)).body.code).toBe("file_not_found");
    const events = await test.call("GET", `/audit-events?target=${file}`);
    expect(events.body).toMatchObject([
      { action: "file.delete", actor: { userId: colleagueId }, details: { fileName: "a.txt" } },
      { action: "file.create_link" },
      { action: "file.create" },
    ]);
  });

  it("is forbidden for members other than the uploader, except admins", async () => {
    const file = await upload(owner);
    expect(await colleague("DELETE", `/files/${file}`)).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    expect((await viewer("DELETE", `/files/${file}`)).body.code).toBe("insufficient_scope");
    expect((await stranger("DELETE", `/files/${file}`)).status).toBe(404);
    const other = await upload(colleague);
    expect((await test.call("DELETE", `/files/${other}`)).status).toBe(204);
  });

  it("deletes once for two requests at once", async () => {
    const file = await upload(owner);
    const answers = await Promise.all([1, 2, 3].map(() => test.call("DELETE", `/files/${file}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
  });
});

describe("POST /files/{fileId}/links", () => {
  it("creates a link that works without a key until it expires", async () => {
    const file = await upload(owner, "linked");
    const made = await test.call("POST", `/files/${file}/links`, { expiresInSeconds: 60 });
    expect(made.status).toBe(201);
    const seconds = (Date.parse(made.body.expiresAt) - Date.now()) / 1_000;
    expect(Math.abs(seconds - 60)).toBeLessThan(20);
    expect(await (await fetch(made.body.url)).text()).toBe("linked");
  });

  it("expires with the file at the latest, and with its creator's membership", async () => {
    const person = await test.addPerson(test.workspaceId, "member");
    const call: Call = (method, path, body) =>
      test.call(method, path, body, { authorization: `Bearer ${person.apiKey}` });
    const file = await upload(call);
    const { body: listedFiles } = await call("GET", "/files?limit=1");
    const made = await call("POST", `/files/${file}/links`, { expiresInSeconds: 7 * 86_400 });
    expect(made.body.expiresAt <= listedFiles[0].expiresAt).toBe(true);
    expect((await fetch(made.body.url)).status).toBe(200);
    const gone = `/workspaces/${test.workspaceId}/members/${person.userId}`;
    expect((await test.callAsOwner("DELETE", gone)).status).toBe(204);
    expect((await fetch(made.body.url)).status).toBe(404);
  });

  it("returns 404 for a file that the caller cannot see, and 400 for a longer time", async () => {
    const file = await upload(owner);
    expect((await stranger("POST", `/files/${file}/links`)).body.code).toBe("file_not_found");
    const tooLong = { expiresInSeconds: 8 * 86_400 };
    expect((await test.call("POST", `/files/${file}/links`, tooLong)).status).toBe(400);
  });
});

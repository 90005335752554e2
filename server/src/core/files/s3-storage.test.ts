import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { removeExpiredFiles } from "./remove-expired.ts";

const sha256 = (data: Buffer) => createHash("sha256").update(data).digest("hex");

let folder: string;
let s3: S3rver;
let s3Port: number;
let test: TestService;
/** Passes requests on to the bucket, or fails them. */
let isDown = false;
const front = createServer((incoming, response) => {
  if (isDown) {
    response.writeHead(503).end();
    return;
  }
  const { method, url, headers } = incoming;
  const passed = request({ host: "127.0.0.1", port: s3Port, method, path: url, headers });
  passed.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  passed.once("error", () => response.destroy());
  incoming.pipe(passed);
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolhost-s3-"));
  s3 = new S3rver({
    address: "127.0.0.1",
    port: 0,
    directory: folder,
    silent: true,
    configureBuckets: [{ name: "toolhost", configs: [] }],
  });
  ({ port: s3Port } = await s3.run());
  await new Promise<void>((resolve) => {
    front.listen(0, "127.0.0.1", resolve);
  });
  const { port } = front.address() as AddressInfo;
  test = await startTestService({
    FILE_STORAGE: "s3",
    S3_BUCKET: "toolhost",
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
    S3_FORCE_PATH_STYLE: "true",
  });
});
afterAll(async () => {
  await test.stop();
  front.closeAllConnections();
  front.close();
  await s3.close().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const download = (fileId: string, headers: Record<string, string> = {}) =>
  fetch(`${test.baseUrl}/api/v1/files/${fileId}`, {
    headers: { authorization: `Bearer ${test.apiKey}`, ...headers },
  });

async function upload(content: Buffer<ArrayBuffer>): Promise<string> {
  const draft = { fileName: "a", mimeType: "text/plain", size: content.length };
  const made = await test.call("POST", "/upload", draft);
  const put = await fetch(made.body.uploadUrl, { method: "PUT", body: content });
  expect([put.status, JSON.parse(await put.text()).sha256]).toEqual([200, sha256(content)]);
  return String(made.body.fileId);
}

describe("the S3 file storage", () => {
  it("returns large, small and empty files unchanged", async () => {
    for (const size of [0, 1, 5_000_000]) {
      const content = randomBytes(size);
      const got = await download(await upload(content));
      expect([got.status, sha256(Buffer.from(await got.arrayBuffer()))]).toEqual([
        200,
        sha256(content),
      ]);
    }
  });

  it("reads ranges of a file", async () => {
    const fileId = await upload(Buffer.from("0123456789"));
    const got = await download(fileId, { range: "bytes=3-5" });
    expect([got.status, await got.text()]).toEqual([206, "345"]);
  });

  it("deletes expired files from the bucket", async () => {
    const fileId = await upload(Buffer.from("old"));
    const { context } = test.service;
    await context.db.kysely
      .updateTable("files")
      .set({ expires_at: 1 })
      .where("id", "=", fileId)
      .execute();
    const key = `${test.workspaceId}/${fileId}`;
    await (await context.fileStorage.open(key)).toArray();
    expect(await removeExpiredFiles(context, 10)).toBe(1);
    await expect(context.fileStorage.open(key)).rejects.toMatchObject({ code: "unavailable" });
    // Deleting a missing file is no error.
    await context.fileStorage.remove(key);
  });

  it("fails only the runs of a batch that read or save a file while the bucket is unavailable", async () => {
    const toolName = await test.makeTool(
      `export default async ({ file }, ctx) => {
        const text = await (await ctx.files.open(file)).text();
        const saved = await ctx.files.save({ name: "b", mimeType: "text/plain", body: text + "!" });
        return { text, saved: saved.fileId ?? saved };
      }`,
      {
        inputSchema: { type: "object", properties: { file: { type: "string" } } },
        outputSchema: { properties: [{ name: "text", type: "string", description: "" }] },
        fileFields: ["file"],
      },
    );
    const fileId = await upload(Buffer.from("batch"));
    const runBatch = async () => {
      const inputs = Array.from({ length: 6 }, () => ({ file: fileId }));
      const made = await test.call("POST", "/run-batches", { toolName, inputs });
      expect(made.status).toBe(201);
      const path = `/run-batches/${made.body.batchId}`;
      const read = async () => (await test.call("GET", path)).body;
      await expect
        .poll(async () => (await read()).status as unknown, { timeout: 60_000 })
        .toBe("completed");
      const { counts, batchId } = await read();
      const { body: runs } = await test.call("GET", `/runs?batchId=${batchId}`);
      return { counts, runs };
    };
    isDown = true;
    const failed = await runBatch();
    isDown = false;
    expect(failed.counts).toMatchObject({ failed: 6, completed: 0 });
    expect(JSON.stringify(failed.runs)).not.toContain("S3RVER");
    for (const run of failed.runs) expect(run.error.message).toContain("file storage");
    const worked = await runBatch();
    expect(worked.counts).toMatchObject({ failed: 0, completed: 6 });
    expect(worked.runs[0].output.text).toBe("batch");
  }, 120_000);

  it("returns 503 while the bucket is unavailable, and leaves no partial file", async () => {
    const draft = { fileName: "a", mimeType: "text/plain", size: 3 };
    const made = await test.call("POST", "/upload", draft);
    await s3.close();
    const put = await fetch(made.body.uploadUrl, { method: "PUT", body: "abc" });
    const problem = JSON.parse(await put.text()) as { code: string; detail: string };
    expect([put.status, problem.code, problem.detail]).toEqual([
      503,
      "unavailable",
      "The file storage is unavailable. Retry shortly.",
    ]);
    const { db } = test.service.context;
    const row = await db.kysely
      .selectFrom("files")
      .select("status")
      .where("id", "=", String(made.body.fileId))
      .executeTakeFirst();
    expect(row?.status).toBe("awaiting_upload");
    expect(JSON.stringify(problem)).not.toContain("S3RVER");
  });
});

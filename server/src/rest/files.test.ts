import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { request as openRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({
    UPLOAD_MAX_BYTES: "1000000",
    RATE_LIMIT_REQUESTS_PER_MINUTE: "0",
  });
});
afterAll(() => test.stop());

const auth = () => ({ authorization: `Bearer ${test.apiKey}` });
const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest("hex");
const incoming = () => readdirSync(join(test.service.context.config.dataDir, "files/incoming"));
const stored = () => {
  const folder = join(test.service.context.config.dataDir, "files", test.workspaceId);
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder);
};

type Sent = { name: string; type: string; key: string };

async function uploadForm(
  content: Buffer<ArrayBuffer> | string,
  { name = "a.txt", type = "text/plain", key = randomUUID() }: Partial<Sent> = {},
) {
  const form = new FormData();
  form.append("note", "beside the file");
  form.append("file", new Blob([content], { type }), name);
  const response = await fetch(`${test.baseUrl}/api/v1/upload`, {
    method: "POST",
    headers: { ...auth(), "idempotency-key": key },
    body: form,
  });
  // Tests read responses of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  const body: any = await response.json();
  return { status: response.status, headers: response.headers, body };
}

const download = (fileId: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${test.baseUrl}/api/v1/files/${fileId}`, { method, headers: { ...auth(), ...headers } });

describe("POST /upload", () => {
  it("stores the file of a form, which can be downloaded", async () => {
    const bytes = randomBytes(300_000);
    const made = await uploadForm(bytes, { name: "data.bin", type: "application/x-data" });
    expect([made.status, made.body]).toEqual([
      201,
      {
        fileId: expect.any(String) as string,
        fileName: "data.bin",
        mimeType: "application/x-data",
        size: 300_000,
        sha256: sha256(bytes),
        status: "ready",
        expiresAt: expect.any(String) as string,
      },
    ]);
    const hours = (Date.parse(made.body.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(167);
    const got = await download(made.body.fileId);
    expect(got.status).toBe(200);
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
    expect(incoming()).toEqual([]);
  });

  it("accepts a file in base64, including an empty one", async () => {
    for (const content of ["", "hello", "ä"]) {
      const made = await test.call("POST", "/upload", {
        fileName: "b.txt",
        mimeType: "text/plain; charset=utf-8",
        contentBase64: Buffer.from(content).toString("base64"),
      });
      expect([made.status, made.body.sha256]).toEqual([201, sha256(content)]);
      const got = await download(made.body.fileId);
      expect(await got.text()).toBe(content);
      expect(got.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
  });

  it("returns an upload URL that accepts the announced bytes once, without a key", async () => {
    const made = await test.call("POST", "/upload", {
      fileName: "c.txt",
      mimeType: "text/plain",
      size: 5,
    });
    expect([made.status, made.body.status, made.body.sha256]).toEqual([
      201,
      "awaiting_upload",
      null,
    ]);
    const { uploadUrl, fileId } = made.body;
    expect((await download(fileId)).status).toBe(404);
    for (const wrong of ["1234", "123456"]) {
      const refused = await fetch(uploadUrl, { method: "PUT", body: wrong });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { code: "invalid_request" },
      ]);
    }
    const put = await fetch(uploadUrl, { method: "PUT", body: "12345" });
    const { uploadUrl: _, ...shown } = made.body;
    const expiresAt = expect.any(String) as string;
    expect([put.status, await put.json()]).toEqual([
      200,
      { ...shown, sha256: sha256("12345"), status: "ready", expiresAt },
    ]);
    const again = await fetch(uploadUrl, { method: "PUT", body: "12345" });
    expect([again.status, await again.json()]).toMatchObject([404, { code: "file_not_found" }]);
    expect(await (await download(fileId)).text()).toBe("12345");
    expect(incoming()).toEqual([]);
  });

  it("accepts one of two simultaneous requests to an upload URL", async () => {
    const made = await test.call("POST", "/upload", {
      fileName: "race",
      mimeType: "text/plain",
      size: 3,
    });
    const puts = await Promise.all(
      ["aaa", "bbb", "ccc"].map((body) => fetch(made.body.uploadUrl, { method: "PUT", body })),
    );
    const answers = await Promise.all(
      puts.map(async (put) => ({ status: put.status, hash: JSON.parse(await put.text()).sha256 })),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect([winners.length, answers.filter(({ status }) => status === 404).length]).toEqual([1, 2]);
    const kept = await (await download(made.body.fileId)).text();
    expect(winners.map(({ hash }) => String(hash))).toEqual([sha256(kept)]);
  });

  it("stores the upload URL encrypted for replays", async () => {
    const key = randomUUID();
    const draft = { fileName: "s", mimeType: "text/plain", size: 3 };
    const made = await test.call("POST", "/upload", draft, { "idempotency-key": key });
    const rows = await test.service.context.db.kysely
      .selectFrom("idempotency_records")
      .select(["id", "body"])
      .execute();
    const row = rows.find(({ id }) => id.endsWith(key));
    expect(row?.body).not.toContain("uploads");
    const again = await test.call("POST", "/upload", draft, { "idempotency-key": key });
    expect([again.headers.get("idempotent-replay"), again.text]).toEqual(["true", made.text]);
  });

  it("stores a file once per Idempotency-Key, with any form boundary", async () => {
    const key = randomUUID();
    const first = await uploadForm("same", { key });
    const before = stored();
    const again = await uploadForm("same", { key });
    expect([again.status, again.headers.get("idempotent-replay"), again.body]).toEqual([
      201,
      "true",
      first.body,
    ]);
    const other = await uploadForm("else", { key });
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    expect([stored(), incoming()]).toEqual([before, []]);
  });

  it("rejects files that are too large, and stores nothing", async () => {
    const before = stored();
    const large = await uploadForm(Buffer.alloc(1_000_001));
    expect([large.status, large.body.code]).toEqual([413, "payload_too_large"]);
    const fits = await uploadForm(Buffer.alloc(1_000_000));
    expect(fits.status).toBe(201);
    const announced = { fileName: "l", mimeType: "text/plain", size: 1_000_001 };
    expect((await test.call("POST", "/upload", announced)).status).toBe(413);
    expect([stored().length, incoming()]).toEqual([before.length + 1, []]);
  });

  it.each<[string, string, string]>([
    ["no boundary", "multipart/form-data", "x"],
    [
      "a form that ends early",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes',
    ],
    [
      "a form without the file",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\nbytes\r\n--x--\r\n',
    ],
    [
      "a form with two files",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n2\r\n--x--\r\n',
    ],
    ["a form that is none", "multipart/form-data; boundary=x", "hello"],
    ["an empty form", "multipart/form-data; boundary=x", ""],
  ])("rejects %s and stores nothing", async (_, type, body) => {
    const before = stored();
    const refused = await test.call("POST", "/upload", body, { "content-type": type });
    expect([refused.status, refused.body.code].join()).toMatch(
      /^(400,invalid_request|415,unsupported_media_type)$/,
    );
    expect([stored(), incoming()]).toEqual([before, []]);
  });

  it("rejects a compressed body and stores nothing", async () => {
    const before = stored();
    for (const path of ["/upload?fileName=a.csv", "/upload"]) {
      const headers = { "content-type": "text/csv", "content-encoding": "gzip" };
      expect((await test.call("POST", path, "a,b", headers)).status).toBe(415);
    }
    expect([stored(), incoming()]).toEqual([before, []]);
  });

  it("rejects JSON with neither content nor size", async () => {
    const draft = { fileName: "a", mimeType: "text/plain" };
    for (const rest of [
      {},
      { size: 1, contentBase64: "" },
      { contentBase64: "not base64!" },
      { contentBase64: "abc" },
      { size: -1 },
      { size: 1, mimeType: "text" },
      { size: 1, mimeType: "text/html\r\nx: y" },
    ]) {
      const refused = await test.call("POST", "/upload", { ...draft, ...rest });
      expect([refused.status, refused.body.code]).toEqual([400, "invalid_request"]);
    }
  });

  it("stores nothing when the client disconnects while sending", async () => {
    const before = stored();
    await new Promise<void>((resolve) => {
      const sending = openRequest(`${test.baseUrl}/api/v1/upload`, {
        method: "POST",
        headers: {
          ...auth(),
          "idempotency-key": randomUUID(),
          "content-type": "multipart/form-data; boundary=x",
          "content-length": 500_000,
        },
      });
      sending.on("error", () => resolve());
      sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
      sending.write(Buffer.alloc(100_000));
      setTimeout(() => sending.destroy(), 300);
    });
    await expect.poll(() => incoming().length, { timeout: 10_000 }).toBe(0);
    expect(stored()).toEqual(before);
  });

  it("accepts 100 concurrent uploads", async () => {
    const contents = Array.from({ length: 100 }, (_, index) => randomBytes(1_000 + index * 500));
    const made = await Promise.all(contents.map((content) => uploadForm(content)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(made.map(({ body }) => body.sha256)).toEqual(contents.map(sha256));
    const got = await Promise.all(
      made.map(async ({ body }) => Buffer.from(await (await download(body.fileId)).arrayBuffer())),
    );
    expect(got.map(sha256)).toEqual(contents.map(sha256));
    expect(incoming()).toEqual([]);
  });

  it.each([
    ["../../x", "x"],
    ["..\\..\\windows\\x.exe", "x.exe"],
    ["/etc/passwd", "passwd"],
    ["a\r\nSet-Cookie: b=c.txt", "aSet-Cookie: b=c.txt"],
    ["файл 👍 \u202Egnp.exe", "файл 👍 gnp.exe"],
    ["..", "file"],
    ['quote".txt', 'quote".txt'],
    ["n\u0000ul.txt", "nul.txt"],
  ])("sanitizes the file name %j to %j", async (given, name) => {
    const made = await test.call("POST", "/upload", {
      fileName: given,
      mimeType: "text/plain",
      contentBase64: "YQ==",
    });
    expect([made.status, made.body.fileName]).toEqual([201, name]);
    const got = await download(made.body.fileId);
    const header = got.headers.get("content-disposition") ?? "";
    const encoded = /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''(\S+)$/.exec(
      header,
    )?.[1];
    expect(decodeURIComponent(encoded ?? "")).toBe(name);
    expect(stored()).toContain(made.body.fileId);
  });

  it("reads the file name of a form as UTF-8, without folders", async () => {
    const made = await uploadForm("x", { name: "../Übung 👍.txt" });
    expect([made.status, made.body.fileName]).toEqual([201, "Übung 👍.txt"]);
  });
});

describe("GET /files/:fileId", () => {
  it.each([
    ["text/html", "<script>alert(1)</script>"],
    ["image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"],
    ["image/png", "<script>alert(1)</script>"],
  ])("returns %s that is not a safe image as a sandboxed attachment", async (type, content) => {
    const made = await uploadForm(content, { type, name: "x" });
    const got = await download(made.body.fileId);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      "content-disposition": expect.stringMatching(/^attachment;/) as string,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(await got.text()).toBe(content);
  });

  it.each([
    ["image/png", "89504e470d0a1a0a0000000d49484452"],
    ["image/jpeg", "ffd8ffe000104a46494600010100"],
    ["image/gif", "474946383961"],
    ["image/webp", "524946462400000057454250"],
  ])("displays %s inline, identified by its first bytes", async (type, hex) => {
    const made = await uploadForm(Buffer.from(hex, "hex"), { type: "text/html" });
    const got = await download(made.body.fileId);
    expect(got.headers.get("content-type")).toBe(type);
    expect(got.headers.get("content-disposition")).toMatch(/^inline;/);
    await got.arrayBuffer();
  });

  it("supports ranges, and returns 304 for a current cached copy", async () => {
    const made = await uploadForm("0123456789");
    const { fileId } = made.body;
    const etag = `"${made.body.sha256}"`;
    const ask = async (headers: Record<string, string>) => {
      const got = await download(fileId, headers);
      return [got.status, await got.text(), got.headers.get("content-range")];
    };
    expect(await ask({ range: "bytes=2-4" })).toEqual([206, "234", "bytes 2-4/10"]);
    expect(await ask({ range: "bytes=7-" })).toEqual([206, "789", "bytes 7-9/10"]);
    expect(await ask({ range: "bytes=-3" })).toEqual([206, "789", "bytes 7-9/10"]);
    expect(await ask({ range: "bytes=8-99" })).toEqual([206, "89", "bytes 8-9/10"]);
    expect(await ask({ range: "bytes=0-1,3-4" })).toEqual([200, "0123456789", null]);
    expect(await ask({ range: "bytes=2-4", "if-range": etag })).toEqual([
      206,
      "234",
      "bytes 2-4/10",
    ]);
    expect(await ask({ range: "bytes=2-4", "if-range": '"x"' })).toEqual([200, "0123456789", null]);
    const [status, text, range] = await ask({ range: "bytes=10-" });
    expect([status, JSON.parse(String(text)).code, range]).toEqual([
      416,
      "range_not_satisfiable",
      "bytes */10",
    ]);
    expect(await ask({ "if-none-match": `"a", W/${etag}` })).toEqual([304, "", null]);
    expect(await ask({ "if-none-match": '"a"' })).toEqual([200, "0123456789", null]);
  });

  it("returns only headers for HEAD", async () => {
    const made = await uploadForm("0123456789");
    const head = await download(made.body.fileId, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      "10",
      "",
    ]);
  });

  it("returns 404 for a file of another workspace, an expired and an unknown one", async () => {
    const made = await uploadForm("mine");
    const { fileId } = made.body;
    const stranger = await test.addPerson(await test.addWorkspace(), "member");
    const foreign = await fetch(`${test.baseUrl}/api/v1/files/${fileId}`, {
      headers: { authorization: `Bearer ${stranger.apiKey}` },
    });
    expect([foreign.status, await foreign.json()]).toMatchObject([404, { code: "file_not_found" }]);
    for (const id of [randomUUID(), "x", "..%2F..%2Fetc%2Fpasswd"]) {
      expect((await download(id)).status).toBe(404);
    }
    const { db } = test.service.context;
    await db.kysely.updateTable("files").set({ expires_at: 1 }).where("id", "=", fileId).execute();
    expect((await download(fileId)).status).toBe(404);
  });
});

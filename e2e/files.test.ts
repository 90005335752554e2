import { randomUUID } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import process from "node:process";
import { uploadedFile } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./src/expect-problem.ts";
import { hashOf, largeBody, measureMemory, readAway, sendBody } from "./src/large-body.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { until } from "./src/until.ts";

const mebibyte = 1024 * 1024;
const isFull = process.env["TEST_ALL"] === "1";
/** The limit of uploads for the tests of tools, larger than every buffer on the way. */
const toolUploadBytes = (isFull ? 64 : 16) * mebibyte;
const head =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n';
const tail = "\r\n--x--\r\n";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const bearer = (key = server.apiKey) => ({ authorization: `Bearer ${key}` });

const sendForm = (to: Server, size: number) =>
  sendBody(
    `${to.baseUrl}/api/v1/upload`,
    {
      method: "POST",
      headers: {
        ...bearer(to.apiKey),
        "idempotency-key": randomUUID(),
        "content-type": "multipart/form-data; boundary=x",
        "content-length": head.length + size + tail.length,
      },
    },
    largeBody(size, head, tail),
  );

const download = (fileId: string, headers: Record<string, string> = {}) =>
  fetch(`${server.baseUrl}/api/v1/files/${fileId}`, { headers: { ...bearer(), ...headers } });

async function upload(text: string, fileName = "a.txt", mimeType = "text/plain"): Promise<string> {
  const contentBase64 = Buffer.from(text).toString("base64");
  const made = await server.call("POST", "/upload", { fileName, mimeType, contentBase64 });
  return String(expectStatus(201, made).body.fileId);
}

/** Uploads and downloads a file of this size, and checks its bytes and the memory that the service needed. */
async function expectStreams(to: Server, size: number): Promise<void> {
  const maxMemory = measureMemory(to.process.pid);
  const made = await sendForm(to, size);
  const { fileId, sha256 } = uploadedFile.parse(JSON.parse(made.text));
  expect(sha256).toBe(hashOf(largeBody(size)));
  const got = await fetch(`${to.baseUrl}/api/v1/files/${fileId}`, { headers: bearer(to.apiKey) });
  expect(await readAway(got)).toEqual({ size, sha256 });
  expect(maxMemory()).toBeLessThan(64 * mebibyte);
}

/** How many open descriptors of a file the service has. */
function openFiles(fileId: string): number {
  const folder = `/proc/${server.process.pid}/fd`;
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return "";
    }
  });
  return targets.filter((target) => target.endsWith(fileId)).length;
}

describe("an upload", () => {
  test(
    "accepts a form, base64 or a separate URL",
    proves("upload.rest", "upload.forms"),
    async () => {
      const form = new FormData();
      form.append("file", new Blob(["hello"], { type: "text/plain" }), "hello.txt");
      const response = await fetch(`${server.baseUrl}/api/v1/upload`, {
        method: "POST",
        headers: { ...bearer(), "idempotency-key": randomUUID() },
        body: form,
      });
      const ofForm = uploadedFile.parse(await response.json());
      const info = { fileName: "hello.txt", mimeType: "text/plain" };
      const inBase64 = await server.call("POST", "/upload", { ...info, contentBase64: "aGVsbG8=" });
      const announced = await server.call("POST", "/upload", { ...info, size: 5 });
      expect(announced.body.status).toBe("awaiting_upload");
      const put = await fetch(announced.body.uploadUrl, { method: "PUT", body: "hello" });
      const all = [ofForm, inBase64.body, await put.json()].map((file) => uploadedFile.parse(file));
      for (const file of all) {
        expect(file).toMatchObject({ ...info, size: 5, status: "ready", sha256: ofForm.sha256 });
        expect(await (await download(file.fileId)).text()).toBe("hello");
      }
    },
  );

  test(
    "accepts exactly 100 MiB, and streams it and its download with little memory",
    { ...proves("upload.limit"), tags: ["nightly"] },
    async () => {
      // Loads and compiles the code before the measurement.
      await sendForm(server, 16 * mebibyte);
      await expectStreams(server, 100 * mebibyte);
      const over = await sendForm(server, 100 * mebibyte + 1);
      expect([over.status, JSON.parse(over.text).code]).toEqual([413, "payload_too_large"]);
    },
  );

  test("requires mcp:execute, and a download requires mcp:read", async () => {
    const reader = await server.createKey({ name: "r", scopes: ["mcp:read"] });
    const draft = { fileName: "a", mimeType: "text/plain", size: 1 };
    const refused = await server.callWithKey(reader.key)("POST", "/upload", draft);
    expectProblem(refused, "insufficient_scope");
    const runner = await server.createKey({ name: "x", scopes: ["mcp:execute"] });
    const fileId = await upload("x");
    expectProblem(
      await server.callWithKey(runner.key)("GET", `/files/${fileId}`),
      "insufficient_scope",
    );
  });

  test.runIf(isFull)("streams 300 MiB with little memory", async () => {
    const size = 300 * mebibyte;
    const large = await startServer({ UPLOAD_MAX_BYTES: String(size) });
    try {
      await sendForm(large, 32 * mebibyte);
      await expectStreams(large, size);
    } finally {
      await large.stop();
    }
  });
});

describe("a download", () => {
  test("is an attachment under its own name", proves("files.download"), async () => {
    const fileId = await upload("<script>alert(1)</script>", "Übung.html", "text/html");
    const got = await download(fileId);
    expect(got.headers.get("content-disposition")).toBe(
      `attachment; filename="Ubung.html"; filename*=UTF-8''%C3%9Cbung.html`,
    );
    expect(got.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await got.text()).toBe("<script>alert(1)</script>");
    expect((await download(fileId, { range: "bytes=0-7" })).status).toBe(206);
  });

  test("responds 404 for an unknown file", proves("error.file_not_found"), async () => {
    expectProblem(await server.call("GET", `/files/${randomUUID()}`), "file_not_found");
  });

  test("ends a download that the client stops reading, and keeps serving", async () => {
    // Larger than the buffers of a connection.
    const made = await sendForm(server, 24 * mebibyte);
    const { fileId } = uploadedFile.parse(JSON.parse(made.text));
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const leaving = new AbortController();
        const response = await fetch(`${server.baseUrl}/api/v1/files/${fileId}`, {
          headers: bearer(),
          signal: leaving.signal,
        });
        await response.body?.getReader().read();
        leaving.abort();
      }),
    );
    await until("no file is open", 20_000, () => openFiles(fileId) === 0);
    const { size } = await readAway(await download(fileId));
    expect(size).toBe(24 * mebibyte);
  });

  test("survives the process that received the upload", async () => {
    const fileId = await upload("still here");
    await server.end("SIGKILL");
    await server.startAgain({ UPLOAD_MAX_BYTES: String(toolUploadBytes) });
    expect(await (await download(fileId)).text()).toBe("still here");
  });
});

describe("a tool", () => {
  const takesFiles = {
    inputSchema: {
      type: "object",
      properties: {
        file: { type: "string" },
        more: { type: "array", items: { type: "string" } },
      },
    },
    fileFields: ["file", "more"],
  };

  test("opens the files of its input and saves new ones", proves("tool.files"), async () => {
    const name = await server.makeTool(
      `export default async ({ file, more = [] }, ctx) => {
        const opened = await ctx.files.open(file);
        const { fileName, mimeType, size } = opened;
        const texts = [await opened.text()];
        for (const id of more) texts.push(new TextDecoder().decode(await (await ctx.files.open(id)).bytes()));
        const made = await ctx.files.save({ name: "sum.txt", mimeType: "text/plain", body: texts.join("+") });
        const again = await ctx.files.open(made.fileId);
        return { fileName, mimeType, size, made, again: await again.text() };
      }`,
      takesFiles,
    );
    const [file, other] = [await upload("one", "Eins 1️⃣.txt"), await upload("two")];
    const { body } = await server.run(name, { file, more: [other] });
    expect([body.status, body.error]).toEqual(["completed", undefined]);
    const { made, ...rest } = body.output;
    expect(rest).toEqual({
      fileName: "Eins 1️⃣.txt",
      mimeType: "text/plain",
      size: 3,
      again: "one+two",
    });
    expect(made).toEqual({
      fileId: expect.any(String) as string,
      fileName: "sum.txt",
      mimeType: "text/plain",
      size: 7,
      sha256: hashOf([Buffer.from("one+two")]),
      url: `${server.baseUrl}/api/v1/files/${made.fileId}`,
    });
    const got = await fetch(made.url, { headers: bearer() });
    expect(await got.text()).toBe("one+two");
  });

  test(
    "accepts bodies of every kind, and streams in both directions",
    { tags: ["nightly"] },
    async () => {
      const name = await server.makeTool(
        `export default async ({ file }, ctx) => {
        const save = async (body) => (await ctx.files.save({ name: "x", mimeType: "text/plain", body })).size;
        const stream = (await ctx.files.open(file)).stream();
        const bytes = new TextEncoder().encode("bytes");
        return {
          sizes: [
            await save(stream),
            await save("text"),
            await save(bytes),
            await save(bytes.buffer),
            await save(new Blob(["blob"])),
            await save(new Response("answer")),
            await save(""),
          ],
          json: await (await ctx.files.open((await ctx.files.save({ name: "j", mimeType: "application/json", body: '{"a":1}' })).fileId)).json(),
          refused: await save({ not: "a body" }).catch((error) => error.name),
        };
      }`,
        takesFiles,
      );
      const size = toolUploadBytes;
      const made = await sendForm(server, size);
      const { fileId } = uploadedFile.parse(JSON.parse(made.text));
      const { body } = await server.run(name, { file: fileId });
      expect(body.error).toBe(undefined);
      expect(body.output).toEqual({
        sizes: [size, 4, 5, 5, 4, 6, 0],
        json: { a: 1 },
        refused: "TypeError",
      });
    },
  );

  test("opens no file that its run was not given", async () => {
    const name = await server.makeTool(
      `export default async ({ id }, ctx) => {
        const tried = await ctx.files.open(id).then(() => "opened", (error) => error.code);
        const ask = async (path, init) => (await fetch("http://files.internal/" + path, init)).status;
        const direct = [await ask(id), await ask("%E0%A4%A"), await ask("", { method: "POST", body: "x" })];
        return { tried, direct };
      }`,
      takesFiles,
    );
    const { body } = await server.run(name, { id: await upload("secret") });
    expect(body.output).toEqual({ tried: "file_not_found", direct: [404, 404, 400] });
  });

  test("rejects runs with unknown files", async () => {
    const name = await server.makeTool("export default async () => ({})", takesFiles);
    const file = await upload("x");
    const unknown = randomUUID();
    for (const [input, path] of [
      [{ file: unknown }, "/file"],
      [{ file: "x" }, "/file"],
      [{ file, more: [file, unknown] }, "/more/1"],
    ] as const) {
      const { errors } = expectProblem(await server.run(name, input), "invalid_input");
      expect(errors).toEqual([
        { path, message: "must be the ID of an uploaded file that you have access to" },
      ]);
    }
    expect((await server.run(name, { file, more: [] })).body.status).toBe("completed");
    expect((await server.run(name, {})).body.status).toBe("completed");
  });

  test("stores no file of a stream that failed or is too large", async () => {
    const name = await server.makeTool(
      `export default async (_, ctx) => {
        const save = (body) => ctx.files.save({ name: "x", mimeType: "text/plain", body }).then(
          () => "saved",
          (error) => error.code ?? error.message,
        );
        let sent = 0;
        const broken = new ReadableStream({
          pull(controller) {
            if (sent++ < 3) controller.enqueue(new TextEncoder().encode("part"));
            else controller.error(new Error("no more"));
          },
        });
        let left = ${toolUploadBytes / mebibyte + 8};
        const large = new ReadableStream({
          pull(controller) {
            if (left-- > 0) controller.enqueue(new Uint8Array(1024 * 1024));
            else controller.close();
          },
        });
        return { broken: await save(broken), large: await save(large) };
      }`,
    );
    const { body } = await server.run(name, {});
    expect(body.error).toBe(undefined);
    expect(body.output).toEqual({
      broken: expect.any(String) as string,
      large: "payload_too_large",
    });
    expect(body.output.broken).not.toBe("saved");
    const events = await server.call("GET", "/audit-events?action=file.create&limit=50");
    const names = events.body.map(({ details }: { details: { runId: string } }) => details.runId);
    expect(names).not.toContain(body.runId);
  });

  test("saves files only up to the limit of a run", async () => {
    const name = await server.makeTool(
      `export default async (_, ctx) => {
        const save = () => ctx.files.save({ name: "x", mimeType: "text/plain", body: "x" });
        const results = await Promise.allSettled(Array.from({ length: 105 }, save));
        return { saved: results.filter(({ status }) => status === "fulfilled").length };
      }`,
    );
    const { body } = await server.run(name, {});
    expect(body.output).toEqual({ saved: 100 });
  });
});

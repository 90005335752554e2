import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { credential } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectProblem } from "./src/expect-problem.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const secret = "sk-live-e2e-0123456789abcdef";
let received: string[] = [];
const upstream = createServer((request, response) => {
  received.push(String(request.headers.authorization));
  response.end(`you sent ${request.headers.authorization}`);
});

let server: Server;
let host: string;
let tool: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  host = `http://127.0.0.1:${port}`;
  server = await startServer({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}`, LOG_LEVEL: "trace" });
  tool = await server.makeTool(
    `export default async ({ url }, ctx) => {
      const headers = { authorization: "Bearer " + ctx.credentials.SERVICE_KEY };
      const text = await (await fetch(url, { headers })).text();
      console.log(text);
      if (url.endsWith("?throw")) throw new Error(text);
      return { text };
    }`,
    { allowedHosts: [host], credentials: [{ name: "SERVICE_KEY", hosts: [host] }] },
  );
});
afterAll(async () => {
  await server?.stop();
  upstream.closeAllConnections();
  upstream.close();
});

const createCredential = (more: object = {}) =>
  server.call("POST", "/credentials", {
    name: "SERVICE_KEY",
    value: secret,
    hosts: [host],
    ...more,
  });

test(
  "creates, lists, replaces and deletes credentials without returning their values",
  proves("credentials.routes", "error.credential_name_taken"),
  async () => {
    const created = expectStatus(201, await createCredential());
    credential.parse(created.body);
    expectProblem(await createCredential({ value: "another" }), "credential_name_taken");
    const listed = expectStatus(200, await server.call("GET", "/credentials"));
    expect(z.array(credential).parse(listed.body)).toEqual([created.body]);
    const put = await server.call("PUT", "/credentials/SERVICE_KEY", { value: `${secret}-next` });
    expect(credential.parse(expectStatus(200, put).body)).toEqual(created.body);
    expect(created.text + listed.text + put.text).not.toContain(secret);
    expectStatus(204, await server.call("DELETE", "/credentials/SERVICE_KEY"));
    expect((await server.call("GET", "/credentials")).body).toEqual([]);
    const reader = await server.createKey({ name: "Reader", scopes: ["mcp:read"] });
    expectProblem(
      await server.callWithKey(reader.key)("GET", "/credentials"),
      "insufficient_scope",
    );
  },
);

describe("a tool that needs a credential", () => {
  test(
    "sends it to its host without seeing it",
    proves("tool.credentials", "credentials.never_shown"),
    async () => {
      expectProblem(await server.run(tool, { url: host }), "credentials_missing");
      expectStatus(201, await createCredential());
      received = [];
      const runs = [
        await server.run(tool, { url: host }),
        await server.run(tool, { url: `${host}/?throw` }),
      ];
      expect(received).toEqual([`Bearer ${secret}`, `Bearer ${secret}`]);
      expect(runs.map(({ body }) => body.status)).toEqual(["completed", "failed"]);
      expect(runs[0]?.body.output.text).toBe("you sent Bearer [redacted SERVICE_KEY]");
      const seen = await Promise.all(
        runs.flatMap(({ body: { runId } }) => [
          server.call("GET", `/runs/${runId}`),
          server.call("GET", `/runs/${runId}/logs`),
          server.call("GET", `/audit-events?target=${runId}`),
        ]),
      );
      const { stdout, stderr } = server.process.printed();
      const all = [...runs, ...seen].map(({ text }) => text).join() + stdout + stderr;
      expect(all).not.toContain(secret);
      expect(all).toContain("[redacted SERVICE_KEY]");
    },
  );

  test(
    "uses the caller's own before the workspace's",
    proves("credentials.resolution"),
    async () => {
      expectStatus(201, await createCredential({ value: "the-workspace-s", owner: "workspace" }));
      received = [];
      await server.run(tool, { url: host });
      expectStatus(204, await server.call("DELETE", "/credentials/SERVICE_KEY?owner=user"));
      await server.run(tool, { url: host });
      expect(received).toEqual([`Bearer ${secret}`, "Bearer the-workspace-s"]);
    },
  );
});

test(
  "records where each credential was sent, and no secret of the input",
  proves("credentials.record", "credentials.input", "credentials.authorization"),
  async () => {
    expectStatus(201, await createCredential({ name: "PASSWORD" }));
    const name = await server.makeTool(
      `export default async ({ url, pin, note }, ctx) => {
        const { basic, bearer } = ctx.authorization;
        for (const authorization of [basic("ada", ctx.credentials.PASSWORD), bearer(ctx.credentials.PASSWORD)])
          await fetch(url, { headers: { authorization } });
        return { length: pin.length + note.length };
      }`,
      {
        allowedHosts: [host],
        credentials: [{ name: "PASSWORD" }],
        inputSchema: { type: "object", properties: { pin: { type: "string", writeOnly: true } } },
      },
    );
    received = [];
    const input = { url: host, pin: "8371-hidden", note: `it is ${secret}` };
    const { body } = await server.run(name, input);
    expect(body.output).toEqual({ length: input.pin.length + input.note.length });
    const encoded = Buffer.from(`ada:${secret}`).toString("base64");
    expect(received).toEqual([`Basic ${encoded}`, `Bearer ${secret}`]);
    const record = await server.call("GET", `/runs/${body.runId}`);
    expect(record.body.input).toEqual({
      url: host,
      pin: "[redacted]",
      note: "it is [redacted PASSWORD]",
    });
    expect(record.body.credentials).toEqual([
      {
        name: "PASSWORD",
        owner: "user",
        exposed: false,
        hosts: [{ host: host.replace("http://", ""), count: 2 }],
      },
    ]);
  },
);

test(
  "stores no credential as plain text in the data folder",
  proves("credentials.encrypted"),
  async () => {
    expectStatus(201, await createCredential({ name: "AT_REST" }));
    const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0))),
    );
    expect(contents.length).toBeGreaterThan(0);
    expect(contents.some((content) => content.includes(secret))).toBe(false);
  },
);

import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { programPath } from "./src/program.ts";
import { proves } from "./src/proves.ts";
import { createCall } from "./src/http.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { endService, spawnService, whenReady } from "./src/service-process.ts";
import type { ReadyService } from "./src/service-process.ts";

const script = programPath("rotate-encryption-key");
const secret = "sk-live-rotated-0123456789";
const isFull = process.env["TEST_ALL"] === "1";
const received: string[] = [];
const upstream = createServer((request, response) => {
  received.push(String(request.headers["x-key"]));
  response.end("ok");
});

type Done = { code: number | null; printed: string };

/** Runs the command. Kills it with SIGKILL as soon as it prints `killAt`. */
function rotate(settings: Record<string, string>, killAt?: string): Promise<Done> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...settings };
  const child = spawn(process.execPath, [script], { cwd: "/", env });
  let printed = "";
  const onOutput = (chunk: Buffer) => {
    printed += String(chunk);
    if (killAt !== undefined && printed.includes(killAt)) child.kill("SIGKILL");
  };
  child.stdout.on("data", onOutput);
  child.stderr.on("data", onOutput);
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, printed }));
  });
}

let server: Server;
let host: string;
let tool: string;
/** A write whose stored response contains a secret, and that response. */
const keyRequest = { id: randomUUID(), body: { name: "Kept", scopes: ["mcp:read"] } };
let storedResponse: string;
const oldKey = randomBytes(32).toString("hex");
const newKey = randomBytes(32).toString("base64");

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  host = `http://127.0.0.1:${port}`;
  server = await startServer({
    // More credentials than the command moves in one transaction.
    USER_MAX_CREDENTIALS: "500",
    EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}`,
    ...(dialect === "sqlite" ? {} : { ENCRYPTION_KEY: oldKey }),
  });
  tool = await server.makeTool(
    `export default async ({ url }, ctx) => {
      for (const name of ["FIRST", "LAST"]) await fetch(url, { headers: { "x-key": ctx.credentials[name] } });
      return {};
    }`,
    { allowedHosts: [host], credentials: [{ name: "FIRST" }, { name: "LAST" }] },
  );
  await saveCredential("FIRST");
  await Promise.all(Array.from({ length: 230 }, (_, count) => saveCredential(`FILLER_${count}`)));
  await saveCredential("LAST");
  storedResponse = expectStatus(201, await askForKey()).text;
});
afterAll(async () => {
  await server?.stop();
  upstream.closeAllConnections();
  upstream.close();
});

const saveCredential = async (name: string) =>
  expectStatus(
    201,
    await server.call("POST", "/credentials", { name, value: secret, hosts: [host] }),
  );

const askForKey = () =>
  server.callAsOwner("POST", "/api-keys", keyRequest.body, { "idempotency-key": keyRequest.id });

/** Checks that earlier data can still be decrypted: credentials, a stored response and a session. */
async function expectAllOpens(): Promise<void> {
  received.length = 0;
  expect((await server.run(tool, { url: host })).body.status).toBe("completed");
  expect(received).toEqual([secret, secret]);
  const again = await askForKey();
  expect([again.headers.get("idempotent-replay"), again.text]).toEqual(["true", storedResponse]);
}

/** Starts the service with a key, and returns its output and exit code. */
async function startWith(settings: Record<string, string>) {
  const service = spawnService(server.workDir, { ...server.settings, ...settings });
  const timer = setTimeout(() => service.signal("SIGKILL"), 20_000);
  const exit = await service.exited;
  clearTimeout(timer);
  return exit;
}

describe.skipIf(dialect !== "sqlite")("rotating the key file of an embedded database", () => {
  const keyFile = () => join(server.dataDir, "encryption.key");
  const killed = [
    ...(isFull ? ["Wrote the new key", "encrypted with the new key"] : []),
    "Re-encrypted 200 secrets",
    ...(isFull ? ["Done"] : []),
  ];

  test(
    "survives a kill after any step, and the old key decrypts nothing afterwards",
    { ...proves("credentials.rotation"), timeout: 300_000, tags: ["nightly"] },
    async () => {
      const old = await readFile(keyFile(), "utf8");
      expect((await rotate(server.settings)).printed).toContain("Another Toolhost is running");
      for (const words of killed) {
        await server.end("SIGTERM");
        const { code, printed } = await rotate(server.settings, words);
        expect(printed, words).toContain(words);
        // After the last line, it may have exited before the kill.
        if (words !== "Done") expect(code, printed).not.toBe(0);
        await server.startAgain();
        await expectAllOpens();
      }
      await saveCredential("AFTER_KILLS");
      await server.end("SIGTERM");
      const { code, printed } = await rotate(server.settings);
      expect(code, printed).toBe(0);
      const fresh = await readFile(keyFile(), "utf8");
      expect(fresh).not.toBe(old);
      expect(printed).not.toContain(fresh.trim());
      await expect(readFile(`${keyFile()}.next`)).rejects.toThrow("ENOENT");
      await writeFile(keyFile(), old);
      const refused = await startWith({});
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/^The encryption key does not match .*\n$/);
      await writeFile(keyFile(), fresh);
      await server.startAgain();
      await expectAllOpens();
      expectRotationEvents(await server.call("GET", "/audit-events?action=encryption_key.rotate"));
    },
  );
});

describe.skipIf(dialect !== "postgres")("rotating ENCRYPTION_KEY while the service works", () => {
  const both = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey };
  let other: ReadyService;
  const startOther = async (settings: Record<string, string> = {}) => {
    if (other !== undefined) await endService(other, "SIGTERM");
    const otherSettings = {
      ...server.settings,
      ...settings,
      DATA_DIR: join(server.workDir, "other"),
    };
    other = await whenReady(spawnService(server.workDir, otherSettings));
  };
  const callOther = createCall(
    () => other.baseUrl,
    () => ({ authorization: `Bearer ${server.apiKey}` }),
  );
  afterAll(async () => {
    if (other !== undefined) await endService(other, "SIGTERM");
  });

  /** Saves a credential on one node and uses it on the other, in both directions. */
  async function expectNodesAgree(name: string): Promise<void> {
    const pair = [
      { write: server.call, run: callOther },
      { write: callOther, run: server.call },
    ];
    for (const [index, { write, run }] of pair.entries()) {
      const draft = { name: `${name}_${index}`, value: `${secret}-${index}`, hosts: [host] };
      expectStatus(201, await write("POST", "/credentials", draft));
      const one = await server.makeTool(
        `export default async ({ url }, ctx) => {
          await fetch(url, { headers: { "x-key": ctx.credentials.${draft.name} } });
          return {};
        }`,
        { allowedHosts: [host], credentials: [{ name: draft.name }] },
      );
      received.length = 0;
      expectStatus(200, await run("POST", `/run/${one}`, { url: host }));
      expect(received).toEqual([draft.value]);
    }
  }

  test(
    "waits until every node has the new key, survives kills, and the old key decrypts nothing afterwards",
    { ...proves("credentials.rotation"), timeout: 300_000, tags: ["nightly"] },
    async () => {
      const settings = { ...server.settings, ...both };
      await startOther();
      const early = await rotate(settings);
      expect(early).toMatchObject({ code: 1 });
      expect(early.printed).toContain("2 of 2 nodes do not have the new key yet");
      await server.end("SIGTERM");
      await server.startAgain(both);
      expect((await rotate(settings)).printed).toContain("1 of 2 nodes does not have the new key");
      await expectNodesAgree("BETWEEN");
      await startOther(both);
      await expectAllOpens();

      const work = { isOver: false };
      const written: string[] = [];
      const writing = (async () => {
        for (let count = 0; !work.isOver; count++) {
          await saveCredential(`MEANWHILE_${count}`);
          await expectAllOpens();
          expectStatus(200, await callOther("POST", `/run/${tool}`, { url: host }));
          written.push(`MEANWHILE_${count}`);
        }
      })();
      for (const words of [
        ...(isFull ? ["encrypted with the new key"] : []),
        "Re-encrypted 200 secrets",
      ]) {
        expect((await rotate(settings, words)).printed, words).toContain(words);
      }
      const done = await rotate(settings);
      work.isOver = true;
      await writing;
      expect(done.code, done.printed).toBe(0);
      expect(written.length).toBeGreaterThan(0);
      expect(await rotate(settings)).toMatchObject({ code: 0 });

      await expectNodesAgree("AFTER");
      await startOther({ ENCRYPTION_KEY: newKey });
      await expectNodesAgree("PREVIOUS_GONE");
      await server.end("SIGTERM");
      const refused = await startWith({ ENCRYPTION_KEY: oldKey });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/^The encryption key does not match .*\n$/);
      const without = await rotate({ ...server.settings, ENCRYPTION_KEY: oldKey });
      expect(without).toMatchObject({ code: 1 });
      await server.startAgain({ ENCRYPTION_KEY: newKey });
      await expectAllOpens();
      expectRotationEvents(await server.call("GET", "/audit-events?action=encryption_key.rotate"));
    },
  );
});

function expectRotationEvents({ body }: { body: { outcome: string; details: object }[] }): void {
  expect(body.length).toBeGreaterThan(0);
  for (const event of body) expect(event.outcome).toBe("success");
  expect(JSON.stringify(body)).not.toContain(oldKey);
}

import { afterAll, beforeAll, expect, test } from "vitest";
import { output, reach, run, testSandbox } from "../test-sandbox.ts";
import type { Sandbox } from "../types.ts";
import { plainUpstream } from "./test-upstream.ts";
import type { Upstream } from "./test-upstream.ts";

const value = "pässwört : with / signs 🔑";
const placeholder = "th_placeholder_0123456789abcdef";
let sandbox: Sandbox;
let host: Upstream;
let seen: string[] = [];

beforeAll(async () => {
  host = await plainUpstream((request, response) => {
    seen.push(String(request.headers.authorization));
    response.end(`${request.headers.authorization}`);
  });
  sandbox = await testSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  host.close();
});

async function use(code: string, secret = value) {
  seen = [];
  const at = `http://127.0.0.1:${host.port}`;
  return run(sandbox, `export default async (input, ctx) => { const HOST = "${at}"; ${code} };`, {
    credentials: { KEY: placeholder },
    egress: reach([at], {
      privateHosts: [`127.0.0.1:${host.port}`],
      secrets: [{ name: "KEY", placeholder, value: secret, hosts: [[at]] }],
    }),
  });
}

const send = (made: string) =>
  `await fetch(HOST, { headers: { authorization: ${made} } }); return {};`;

test("sends the value in a bearer() header", async () => {
  await use(send("ctx.authorization.bearer(ctx.credentials.KEY)"), "sk-live-token");
  expect(seen).toEqual(["Bearer sk-live-token"]);
});

test("sends the user and password of basic() in UTF-8, where either may be a credential", async () => {
  const result = await use(send('ctx.authorization.basic("jürgen", ctx.credentials.KEY)'));
  const encoded = Buffer.from(`jürgen:${value}`).toString("base64");
  expect(seen).toEqual([`Basic ${encoded}`]);
  expect(result.secretUse).toEqual([
    { name: "KEY", hosts: [{ host: `127.0.0.1:${host.port}`, count: 1 }] },
  ]);
  await use(send('ctx.authorization.basic(ctx.credentials.KEY, "")'), "token-as-user");
  expect(seen).toEqual([`Basic ${Buffer.from("token-as-user:").toString("base64")}`]);
});

test.each([
  ["alice", "s3cret-password"],
  ["me", "tok"],
  ["jürgen", "pässwört : 🔑"],
])("leaves no part of a pair in what a host sends back: %s, %s", async (user, password) => {
  const at = `http://127.0.0.1:${host.port}`;
  const secret = (name: string, plain: string) => {
    const mark = `th_placeholder_of_${name.toLowerCase()}`;
    return { name, placeholder: mark, value: plain, hosts: [[at]] };
  };
  const secrets = [secret("USER", user), secret("PASSWORD", password)];
  const result = await run(
    sandbox,
    `export default async (input, ctx) => {
      const { USER, PASSWORD } = ctx.credentials;
      const authorization = ctx.authorization.basic(USER, PASSWORD);
      return { echo: await (await fetch("${at}", { headers: { authorization } })).text() };
    };`,
    {
      credentials: Object.fromEntries(secrets.map((one) => [one.name, one.placeholder])),
      egress: reach([at], { privateHosts: [`127.0.0.1:${host.port}`], secrets }),
    },
  );
  expect((output(result) as { echo: string }).echo).toMatch(/^Basic \[redacted [A-Z:]+\]=*$/);
});

test("rejects control characters, and works when the tool replaces globals", async () => {
  const tries = [
    'basic("a:b", "c")',
    'basic("a\\nb", "c")',
    'basic("a", "b\\0")',
    "bearer()",
    'bearer("a\\r\\nx: y")',
  ];
  const code = `const errors = [];
    for (const make of [${tries.map((made) => `() => ctx.authorization.${made}`).join(", ")}]) {
      try { errors.push(make()); } catch (error) { errors.push(error.name); }
    }
    globalThis.btoa = () => "mine"; String.prototype.charCodeAt = () => 65; globalThis.String = () => "mine";
    TextEncoder.prototype.encode = () => new Uint8Array(1);
    return { errors, made: ctx.authorization.basic("a", "b"), frozen: Object.isFrozen(ctx.authorization) };`;
  const { errors, made, frozen } = output(await use(code)) as Record<string, unknown>;
  expect(errors).toEqual(tries.map(() => "TypeError"));
  expect([made, frozen]).toEqual([`Basic ${Buffer.from("a:b").toString("base64")}`, true]);
});

import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EGRESS_LIMITS, failure, output, reach, run, testSandbox } from "../test-sandbox.ts";
import type { ExecuteResult, Sandbox } from "../types.ts";
import { createRedactor } from "./redaction.ts";
import type { Secret, SecretSource } from "./secret.ts";
import { plainUpstream } from "./test-upstream.ts";
import type { Upstream } from "./test-upstream.ts";

const value = `s3cr3t "with" spaces & signs/ü`;
const placeholder = "th_placeholder_0123456789abcdef";

type Seen = { url: string; headers: Record<string, unknown>; body: string };

let sandbox: Sandbox;
let host: Upstream;
let other: Upstream;
let seen: Seen[] = [];

beforeAll(async () => {
  const listener: Parameters<typeof plainUpstream>[0] = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", headers } = request;
      const body = Buffer.concat(chunks).toString();
      seen.push({ url, headers, body });
      const echo = Buffer.from(JSON.stringify({ url, headers, body }));
      const contentEncoding = new URL(url, "http://x").searchParams.get("encoding");
      const pack = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync }[
        contentEncoding ?? ""
      ];
      response.setHeader("x-echo", String(headers["x-key"] ?? ""));
      if (pack === undefined) response.end(echo);
      else {
        response.setHeader("content-encoding", contentEncoding ?? "");
        response.end(pack(echo));
      }
    });
  };
  host = await plainUpstream(listener);
  other = await plainUpstream(listener);
  sandbox = await testSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  host.close();
  other.close();
});

const at = (upstream: Upstream) => `http://127.0.0.1:${upstream.port}`;

/** Runs code with `HOST`, `OTHER` and the placeholder as `KEY`. */
async function use(code: string, source?: SecretSource): Promise<ExecuteResult> {
  seen = [];
  const fixed: Secret[] = [{ name: "KEY", placeholder, value, hosts: [[at(host)]] }];
  const secrets = source ?? fixed;
  const upstreams = [host, other];
  return run(
    sandbox,
    `const HOST = "${at(host)}", OTHER = "${at(other)}";
     export default async (input, ctx) => { const KEY = ctx.credentials.KEY; ${code} };`,
    {
      credentials: { KEY: placeholder },
      egress: reach(upstreams.map(at), {
        privateHosts: upstreams.map(({ port }) => `127.0.0.1:${port}`),
        secrets,
      }),
    },
  );
}

describe("a placeholder", () => {
  test("is substituted in headers, including Basic authentication", async () => {
    const plain = value.replace("ü", "u");
    const secrets = [{ name: "KEY", placeholder, value: plain, hosts: [[at(host)]] }];
    seen = [];
    const result = await run(
      sandbox,
      `export default async (input, ctx) => {
        const headers = { "x-key": "k " + ctx.credentials.KEY, authorization: "Bearer " + ctx.credentials.KEY };
        await fetch("${at(host)}", { headers });
        const pair = btoa("me:" + ctx.credentials.KEY);
        await fetch("${at(host)}", { headers: { authorization: "Basic " + pair } });
        return {};
      }`,
      {
        credentials: { KEY: placeholder },
        egress: reach([at(host)], { privateHosts: [`127.0.0.1:${host.port}`], secrets }),
      },
    );
    expect(result.status).toBe("completed");
    expect(seen[0]?.headers).toMatchObject({
      "x-key": `k ${plain}`,
      authorization: `Bearer ${plain}`,
    });
    const basic = String(seen[1]?.headers["authorization"]).replace("Basic ", "");
    expect(Buffer.from(basic, "base64").toString()).toBe(`me:${plain}`);
  });

  test("is substituted with the current value when it is refreshed during the run", async () => {
    const hosts = [[at(host)]];
    const lists: Secret[][] = [
      [{ name: "KEY", placeholder, value: "the-first-value", hosts }],
      [
        { name: "KEY", placeholder, value: "the-second-value", hosts },
        // Earlier values must still be redacted in responses.
        { name: "KEY", placeholder: "unknown_placeholder", value: "the-first-value", hosts: [[]] },
      ],
    ];
    const result = await use(
      `const ask = async (more = "") =>
         (await fetch(HOST, { method: "POST", headers: { "x-key": KEY }, body: more })).json();
       const one = await ask();
       const two = await ask("the-first-value");
       return { one: one.headers["x-key"], two: two.headers["x-key"], old: two.body };`,
      async () => lists[Math.min(seen.length, 1)] ?? [],
    );
    expect(seen.map(({ headers }) => headers["x-key"])).toEqual([
      "the-first-value",
      "the-second-value",
    ]);
    const mark = "[redacted KEY]";
    expect(output(result)).toEqual({ one: mark, two: mark, old: mark });
  });

  test("is substituted in the URL and in bodies, with the encoding that each requires", async () => {
    const result = await use(`
      await fetch(HOST + "/a?key=" + KEY);
      await fetch(HOST, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ key: KEY, n: 1 }) });
      await fetch(HOST, { method: "POST", body: new URLSearchParams({ key: KEY }) });
      await fetch(HOST, { method: "POST", body: "plain " + KEY });
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      const sending = fetch(HOST, { method: "POST", body: readable });
      const text = "streamed " + KEY;
      for (const part of [text.slice(0, 20), text.slice(20)]) await writer.write(new TextEncoder().encode(part));
      await writer.close();
      await sending;
      return {};`);
    expect(result.status).toBe("completed");
    expect(new URL(seen[0]?.url ?? "", at(host)).searchParams.get("key")).toBe(value);
    expect(JSON.parse(seen[1]?.body ?? "")).toEqual({ key: value, n: 1 });
    expect(seen[1]?.headers["content-length"]).toBe(String(Buffer.byteLength(seen[1]?.body ?? "")));
    expect(new URLSearchParams(seen[2]?.body).get("key")).toBe(value);
    expect(seen[3]?.body).toBe(`plain ${value}`);
    expect(seen[4]?.body).toBe(`streamed ${value}`);
  });

  test("is never substituted in requests to other hosts", async () => {
    for (const request of [
      "fetch(OTHER, { headers: { 'x-key': KEY } })",
      "fetch(OTHER + '/?k=' + KEY)",
      "fetch(OTHER, { headers: { authorization: 'Basic ' + btoa('me:' + KEY) } })",
    ]) {
      const result = await use(`await ${request}; return {};`);
      expect(failure(result)).toMatchObject({ code: "egress_denied" });
      expect(failure(result).message).toContain(
        "the credential KEY is not allowed for this host. Add the host to the credential's hosts",
      );
      expect(seen).toEqual([]);
    }
    await use("await fetch(OTHER, { method: 'POST', body: KEY }); return {};");
    expect(JSON.stringify(seen)).not.toContain("s3cr3t");
  });

  test("is denied with the entry to add where the credential allows the host only over HTTPS", async () => {
    const name = `127.0.0.1:${host.port}`;
    const secrets = [{ name: "KEY", placeholder, value, hosts: [[name], [at(host)]] }];
    const result = await run(
      sandbox,
      `export default async () => fetch("${at(host)}", { headers: { "x-key": "${placeholder}" } });`,
      { egress: reach([at(host)], { privateHosts: [name], secrets }) },
    );
    expect(failure(result).message).toContain(
      `only over HTTPS. Add "http://${name}" to the credential's hosts`,
    );
  });

  test("stays the only thing that the tool sees when a host echoes the value", async () => {
    const result = await use(`
      const body = JSON.stringify({ a: KEY, b: KEY });
      const all = [];
      for (const contentEncoding of ["", "gzip", "br"]) {
        const response = await fetch(HOST + "/?encoding=" + contentEncoding + "&key=" + KEY, { method: "POST", headers: { "content-type": "application/json", authorization: "Basic " + btoa("me:" + KEY) }, body });
        all.push(await response.text(), [...response.headers].join());
      }
      return { all, key: KEY };`);
    const shown = JSON.stringify(output(result));
    expect(seen).toHaveLength(3);
    expect(JSON.stringify(seen)).toContain("s3cr3t");
    for (const spelling of ["s3cr3t", encodeURIComponent(value).slice(0, 12)]) {
      expect(shown).not.toContain(spelling);
    }
    expect(shown).not.toContain(Buffer.from(`me:${value}`).toString("base64").slice(6, 20));
    expect(shown.match(/\[redacted KEY\]/g)?.length).toBeGreaterThan(8);
    expect(shown).toContain(placeholder);
  });

  test("denies responses that cannot be searched", async () => {
    const result = await use("await (await fetch(HOST + '/?encoding=zstd')).text(); return {};");
    expect(failure(result)).toMatchObject({ code: "egress_denied" });
  });

  test("denies responses that decompress beyond the run's limit", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const bombing = await plainUpstream((_request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(bomb);
    });
    const secrets = [{ name: "KEY", placeholder, value, hosts: [[at(bombing)]] }];
    const result = await run(
      sandbox,
      `export default async () => { for await (const part of (await fetch("${at(bombing)}")).body) {} }`,
      {
        egress: reach([at(bombing)], {
          privateHosts: [`127.0.0.1:${bombing.port}`],
          limits: { ...EGRESS_LIMITS, bytesReceived: 1024 * 1024 },
          secrets,
        }),
      },
    );
    bombing.close();
    expect(failure(result)).toMatchObject({ code: "egress_denied" });
    expect(failure(result).message).toContain("decompresses to more than");
  });

  test("is denied in a header when its value contains a line break", async () => {
    const secrets = [{ name: "KEY", placeholder, value: "a\r\nx-more: 1", hosts: [[at(host)]] }];
    seen = [];
    const result = await run(
      sandbox,
      `export default async (i, ctx) => { await fetch("${at(host)}", { headers: { "x-key": ctx.credentials.KEY } }); }`,
      {
        credentials: { KEY: placeholder },
        egress: reach([at(host)], { privateHosts: [`127.0.0.1:${host.port}`], secrets }),
      },
    );
    expect(failure(result).code).toBe("egress_denied");
    expect(seen).toEqual([]);
  });
});

test("removes a value in any encoding (createRedactor)", () => {
  const redact = createRedactor([{ name: "KEY", value }]);
  const bytes = Buffer.from(value);
  const texts = [
    value,
    encodeURIComponent(value),
    JSON.stringify({ value }),
    bytes.toString("base64"),
    Buffer.concat([Buffer.from("user:"), bytes]).toString("base64"),
    bytes.toString("hex"),
  ];
  for (const text of texts) {
    const clean = redact(`before ${text} after`);
    expect(clean).toContain("[redacted KEY]");
    expect(clean).not.toContain("s3cr3t");
    expect(clean).toMatch(/^before .* after$/);
  }
});

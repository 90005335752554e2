import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  EGRESS_LIMITS,
  failure,
  MEBIBYTE,
  output,
  reach,
  run,
  testSandbox,
} from "../test-sandbox.ts";
import type { RunOptions } from "../test-sandbox.ts";
import type { ExecuteResult, Sandbox } from "../types.ts";
import { http2Upstream, plainUpstream, secureUpstream, testCertificate } from "./test-upstream.ts";
import type { Upstream } from "./test-upstream.ts";

const trusted = testCertificate(["api.test", "*.wild.test", "trusted.test"]);
const untrusted = testCertificate(["api.test"]);
/** Addresses of the names in this test. Tests may change them. */
const names: Record<string, string[]> = {
  "api.test": ["127.0.0.1"],
  "a.wild.test": ["127.0.0.1"],
  "other.test": ["127.0.0.1"],
  "several.test": ["127.0.0.9", "127.0.0.1"],
  "trusted.test": ["127.0.0.1"],
};
let asked: string[] = [];
let sandbox: Sandbox;
let tls: Upstream;
let h2: Upstream;
let both: Upstream;
let stranger: Upstream;
let plain: Upstream;

beforeAll(async () => {
  tls = await secureUpstream(trusted, (request, response) => {
    response.end(`${request.httpVersion} ${request.headers.host}`);
  });
  h2 = await http2Upstream(trusted, (request, response) => {
    request.pipe(response);
    if (request.method === "GET") response.end(request.httpVersion);
  });
  both = await http2Upstream({ ...trusted, allowHTTP1: true }, (request, response) =>
    response.end(request.httpVersion),
  );
  stranger = await secureUpstream(untrusted, (_request, response) => response.end("stranger"));
  plain = await plainUpstream((request, response) => response.end(`plain ${request.headers.host}`));
  sandbox = await testSandbox({
    maxMemoryBytes: 256 * MEBIBYTE,
    egress: {
      ca: [trusted.cert],
      http2Hosts: [`trusted.test:${h2.port}`],
      lookup: async (host) => {
        asked.push(host);
        return names[host] ?? [];
      },
    },
  });
});
afterAll(async () => {
  await sandbox.stop();
  for (const upstream of [tls, h2, both, stranger, plain]) upstream.close();
});

/** Runs the body of an async function that may reach these hosts, all of which the operator allows. */
function runs(hosts: string[], body: string, options: RunOptions = {}): Promise<ExecuteResult> {
  const privateHosts = hosts.map((host) => host.replace("http://", "").replace("*.", "a."));
  return run(sandbox, `export default async (input) => { ${body} }`, {
    egress: reach(hosts, { privateHosts, limits: { ...EGRESS_LIMITS, bytesSent: 1e9 } }),
    ...options,
  });
}

const text = (url: string) => `return (await fetch("${url}")).text()`;

describe("HTTPS", () => {
  test("connects to the host by name and port", async () => {
    const url = `https://api.test:${tls.port}/`;
    const result = await runs([`api.test:${tls.port}`], text(url));
    expect(output(result)).toBe(`1.1 api.test:${tls.port}`);
  });

  test("connects to a subdomain with a wildcard certificate", async () => {
    const result = await runs(
      [`*.wild.test:${tls.port}`],
      text(`https://a.wild.test:${tls.port}/`),
    );
    expect(output(result)).toBe(`1.1 a.wild.test:${tls.port}`);
  });

  test.each([
    ["is of another authority", "api.test", () => stranger.port, "SELF_SIGNED"],
    ["is for another name", "other.test", () => tls.port, "ERR_TLS_CERT_ALTNAME_INVALID"],
    [
      "is for a name and not its address",
      "127.0.0.1",
      () => tls.port,
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ],
  ])("fails if the certificate %s", async (_what, host, port, code) => {
    const result = await runs([`${host}:${port()}`], text(`https://${host}:${port()}/`));
    expect(failure(result).code).toBe("tool_error");
    expect(failure(result).message).toContain(
      `fetch failed: ${host}:${port()}: the TLS certificate was rejected`,
    );
    expect(failure(result).message).toContain(code);
  });

  test("fails with HTTPS to a plain HTTP port, and the other way around", async () => {
    const wrong = await runs([`api.test:${plain.port}`], text(`https://api.test:${plain.port}/`));
    expect(failure(wrong)).toMatchObject({ code: "tool_error" });
    const other = await runs([`http://api.test:${tls.port}`], text(`http://api.test:${tls.port}/`));
    expect(failure(other)).toMatchObject({ code: "tool_error" });
  });

  test("does not allow plain HTTP to a host that is declared for HTTPS", async () => {
    const result = await runs([`api.test:${plain.port}`], text(`http://api.test:${plain.port}/`));
    expect(failure(result)).toMatchObject({ code: "egress_denied" });
    expect(failure(result).message).toContain("only over HTTPS");
  });
});

describe("the code of an error", () => {
  const code = (url: string) =>
    `try { await fetch("${url}", { method: "POST", body: "x" }) } catch (error) { return error.code ?? error.message }`;

  test.each([
    ["a name without an address", () => "https://unknown.test/"],
    ["a closed port", () => "http://127.0.0.9:9/"],
    ["a certificate for another name", () => `https://other.test:${tls.port}/`],
    ["HTTPS to a plain HTTP port", () => `https://api.test:${plain.port}/`],
  ])("states that nothing was sent: %s", async (_what, url) => {
    const { host } = new URL(url());
    const entry = url().startsWith("http:") ? `http://${host}` : host;
    expect(output(await runs([entry], code(url())))).toBe("host_unreachable");
  });

  test("does not state so if the host closes the connection", async () => {
    const closing = await plainUpstream((_request, response) => response.destroy());
    try {
      const host = `http://api.test:${closing.port}`;
      expect(output(await runs([host], code(`${host}/`)))).toContain("connection closed");
    } finally {
      closing.close();
    }
  });

  test("does not state so if an open connection breaks with the next request", async () => {
    let count = 0;
    const closing = await plainUpstream((_request, response) => {
      count += 1;
      if (count === 1) response.end("fine");
      else response.destroy();
    });
    try {
      const host = `http://api.test:${closing.port}`;
      const body = `await (await fetch("${host}/")).text(); ${code(`${host}/`)}`;
      expect(output(await runs([host], body))).toContain("connection closed");
    } finally {
      closing.close();
    }
  });
});

describe("a host that offers HTTP/2", () => {
  test("is contacted over HTTP/1.1", async () => {
    const url = `https://api.test:${both.port}/`;
    const result = await runs([`api.test:${both.port}`], text(url));
    expect(output(result)).toBe("1.1");
  });

  test("is unreachable if it offers nothing else", async () => {
    const result = await runs([`api.test:${h2.port}`], text(`https://api.test:${h2.port}/`));
    expect(failure(result)).toMatchObject({ code: "tool_error" });
    expect(failure(result).message).toContain("the TLS handshake failed");
  });

  test("is contacted over HTTP/2 if the operator trusts it, streaming in both directions", async () => {
    const url = `https://trusted.test:${h2.port}/`;
    const hosts = [`trusted.test:${h2.port}`];
    expect(output(await runs(hosts, text(url)))).toBe("2.0");
    const echoed = await runs(
      hosts,
      `const sent = new TextEncoder().encode("x".repeat(300_000));
      const body = new ReadableStream({ start: (sink) => { sink.enqueue(sent); sink.close(); } });
      const answer = await fetch("${url}", { method: "POST", body, headers: { "x-a": "b" } });
      return [answer.status, (await answer.text()).length];`,
    );
    expect(output(echoed)).toEqual([200, 300_000]);
  });
});

describe("a host name", () => {
  const hosts = () => [`http://several.test:${plain.port}`];
  const body = () => text(`http://several.test:${plain.port}/`);

  test("is reached at the address that responds", async () => {
    expect(output(await runs(hosts(), body()))).toBe(`plain several.test:${plain.port}`);
  });

  test("is denied when it is rebound to a non-public address, without a connection", async () => {
    const rebound = `http://rebound.test:${plain.port}`;
    const ask = `const said = [];
      for (let i = 0; i < 3; i++) said.push(await fetch("${rebound}/").then((answer) => answer.text(), (error) => error.message));
      return said`;
    const privateHosts = [`rebound.test:${plain.port}`];
    names["rebound.test"] = ["127.0.0.1"];
    const egress = reach([rebound], { privateHosts });
    expect(output(await run(sandbox, `export default async () => { ${ask} }`, { egress }))).toEqual(
      Array(3).fill(`plain rebound.test:${plain.port}`),
    );
    const before = plain.connections();
    for (const address of [
      "169.254.169.254",
      "::ffff:169.254.169.254",
      "0.1.2.3",
      "64:ff9b::7f00:1",
    ]) {
      names["rebound.test"] = [address];
      const result = await run(sandbox, `export default async () => { ${ask} }`, { egress });
      for (const said of [output(result)].flat()) {
        expect(said).toMatch(
          /^egress_denied: the request to rebound\.test:\d+ was denied: it resolves to/,
        );
      }
    }
    expect(plain.connections()).toBe(before);
  });

  test("is resolved for each request, and only if it is declared", async () => {
    asked = [];
    await runs(hosts(), `${body().replace("return", "")}; ${body()}`);
    await runs(hosts(), `await fetch("https://secret-data.evil.test/").catch(() => {})`);
    expect(asked).toEqual(["several.test", "several.test"]);
  });

  test("is not served by an open connection to an address from an earlier lookup", async () => {
    names["moving.test"] = ["127.0.0.1"];
    const moving = [`http://moving.test:${plain.port}`];
    expect(output(await runs(moving, text(`${moving[0]}/`)))).toBe(
      `plain moving.test:${plain.port}`,
    );
    names["moving.test"] = ["127.0.0.8"];
    const result = await runs(moving, text(`${moving[0]}/`));
    expect(failure(result).message).toContain("connection refused");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OutboundError } from "./outbound-error.ts";
import { createOutbound, type Outbound } from "./outbound.ts";
import { plainUpstream, secureUpstream, testCertificate, type Upstream } from "./test-upstream.ts";

const certificate = testCertificate(["provider.test"]);
const asked: string[] = [];
let plain: Upstream;
let secure: Upstream;
let outbound: Outbound;

beforeAll(async () => {
  plain = await plainUpstream((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === "/large") response.end("x".repeat(2_000));
    else if (request.url === "/endless") response.write("x");
    else if (request.url === "/never") request.resume();
    else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (request.url?.startsWith("/to?")) {
      const location = decodeURIComponent(request.url.slice("/to?".length));
      response.writeHead(307, { location }).end();
    } else if (request.url === "/away") response.writeHead(302, { location: "/other" }).end();
    else request.pipe(response.setHeader("set-cookie", "a=b"));
  });
  secure = await secureUpstream(certificate, (_request, response) => response.end("{}"));
  outbound = createOutbound({
    privateHosts: [`127.0.0.1:${plain.port}`, `provider.test:${secure.port}`],
    connectMs: 1_000,
    totalMs: 700,
    maxAnswerBytes: 1_000,
    ca: [certificate.cert],
    lookup: async (host) => (host === "public.test" ? ["192.168.0.1"] : ["127.0.0.1"]),
  });
});
afterAll(async () => {
  await outbound.close();
  plain.close();
  secure.close();
});

const ask = (url: string, body?: string) =>
  outbound.fetch(url, {
    connectionGroup: "test",
    method: body === undefined ? "GET" : "POST",
    headers: {},
    body,
  });
const at = (path: string) => `http://127.0.0.1:${plain.port}${path}`;
const failure = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.catch((caught: unknown) => caught);
  if (!(error instanceof OutboundError)) throw new Error("There was an answer");
  return error;
};

describe("Outbound.fetch", () => {
  it("returns the status, content type and text, and no other headers", async () => {
    const answer = await ask(at("/echo"), "said");
    expect([answer.status, await answer.text()]).toEqual([200, "said"]);
    expect([...answer.headers.keys()]).toEqual(["content-type"]);
  });

  it("does not follow redirects", async () => {
    asked.length = 0;
    expect((await ask(at("/away"))).status).toBe(302);
    expect(asked).toEqual(["GET /away"]);
  });

  it("throws when the response is too large or too slow", async () => {
    expect((await failure(ask(at("/large")))).message).toContain("more than 1000 bytes");
    expect((await failure(ask(at("/endless")))).message).toContain("in time");
  });

  it("denies non-public addresses, unless the operator allowed the host", async () => {
    const refused = await failure(ask("https://public.test/token"));
    expect([refused.isDenied, refused.message]).toEqual([
      true,
      "Requests to public.test are not allowed: it resolves to a private address. The operator of this service can allow the host with EGRESS_PRIVATE_HOSTS",
    ]);
    expect((await failure(ask(`https://127.0.0.1:${secure.port}/`))).isDenied).toBe(true);
  });

  it("allows plain HTTP only to hosts that the operator allowed", async () => {
    const refused = await failure(ask("http://elsewhere.test/token"));
    expect(refused.message).toContain("HTTPS is required");
    expect((await ask(`https://provider.test:${secure.port}/`)).status).toBe(200);
  });
});

describe("Outbound.deliver", () => {
  const send = (url: string, body: string, until = AbortSignal.timeout(60_000)) =>
    outbound.deliver(url, {
      connectionGroup: "test",
      method: "POST",
      headers: {},
      body,
      signal: until,
      maxBytes: 100,
    });

  it("returns the status whatever the body is, and follows no redirect", async () => {
    asked.length = 0;
    expect((await send(at("/echo"), "said")).status).toBe(200);
    expect((await send(at("/large"), "")).status).toBe(200);
    expect((await send(at("/away"), "")).status).toBe(302);
    expect(asked).toEqual(["POST /echo", "POST /large", "POST /away"]);
  });

  it("returns the status when the signal aborts during the body, and throws before it", async () => {
    expect((await send(at("/endless"), "", AbortSignal.timeout(300))).status).toBe(200);
    const late = await failure(send(at("/never"), "", AbortSignal.timeout(300)));
    expect([late.isDenied, late.message]).toEqual([false, expect.stringContaining("in time")]);
  });

  it("denies non-public addresses", async () => {
    for (const url of ["https://public.test/", "https://[::ffff:127.0.0.1]/"]) {
      expect([url, (await failure(send(url, ""))).isDenied]).toEqual([url, true]);
    }
  });
});

describe("Outbound.download", () => {
  const signal = AbortSignal.timeout(60_000);
  const get = (url: string, until = signal) =>
    outbound.download(url, { connectionGroup: "test", signal: until });
  const read = async (bytes: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(bytes)).toString();

  it("streams any number of bytes, following redirects", async () => {
    const large = await get(at("/large"));
    expect((await read(large.bytes)).length).toBe(2_000);
    expect(await read((await get(at("/away"))).bytes)).toBe("");
  });

  it("checks the target of each redirect", async () => {
    for (const to of ["https://public.test/", "http://elsewhere.test/", "file:///etc/passwd"]) {
      const refused = await failure(get(at(`/to?${encodeURIComponent(to)}`)));
      expect([to, refused.isDenied]).toEqual([to, true]);
    }
    expect((await failure(get(at("/loop")))).message).toContain("redirected too many times");
  });

  it("stops when the signal aborts, also during the transfer", async () => {
    const { bytes } = await get(at("/endless"), AbortSignal.timeout(300));
    expect((await failure(read(bytes))).message).toContain("in time");
  });
});

describe("Outbound.open", () => {
  const open = (url: string, signal = AbortSignal.timeout(60_000)) =>
    outbound.open(url, { connectionGroup: "test", method: "POST", headers: {}, body: "", signal });
  const read = async (bytes: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(bytes)).toString();

  it("streams the response and its headers, and follows no redirect", async () => {
    const answer = await open(at("/echo"));
    expect([answer.status, answer.header("set-cookie")]).toEqual([200, "a=b"]);
    expect(await read(answer.bytes)).toBe("");
    expect(await read((await open(at("/large"))).bytes)).toBe("x".repeat(2_000));
    const redirect = await open(at("/away"));
    expect([redirect.status, redirect.header("location")]).toEqual([302, "/other"]);
    redirect.drop();
  });

  it("returns bytes before the response is complete, and stops when the signal aborts", async () => {
    const { bytes } = await open(at("/endless"), AbortSignal.timeout(300));
    expect((await failure(read(bytes))).message).toContain("in time");
  });

  it("closes the connection when it is dropped", async () => {
    const answer = await open(at("/endless"));
    answer.drop();
    expect((await failure(read(answer.bytes))).isDenied).toBe(false);
  });

  it("denies non-public addresses", async () => {
    expect((await failure(open("https://public.test/"))).isDenied).toBe(true);
  });
});

describe("Outbound.explainDeniedText", () => {
  it("resolves no name", async () => {
    expect(await outbound.explainDenied("https://public.test")).toContain("a private address");
    expect(outbound.explainDeniedText("https://public.test")).toBeUndefined();
  });

  it("reports addresses, names of private networks and plain HTTP, unless the operator allowed the host", () => {
    expect(outbound.explainDeniedText("http://127.0.0.1:1")).toContain("of this machine");
    expect(outbound.explainDeniedText("https://nas.local")).toContain("of a private network");
    expect(outbound.explainDeniedText("http://public.test")).toContain("HTTPS is required");
    expect(outbound.explainDeniedText(at("/"))).toBeUndefined();
  });
});

import { request as openRequest } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { describeStart } from "./describe-start.ts";

let test: TestService | undefined;
afterEach(async () => {
  await test?.stop();
  test = undefined;
});

const token = "a-token-of-an-operator";

/** Node's own client, for `fetch` would not let us choose the host. */
function get(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = openRequest(url, { headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on("error", reject).end();
  });
}

async function start(settings: Record<string, string>): Promise<string> {
  test = await startTestService(settings);
  const { PORT } = test.service.context.config;
  return `http://127.0.0.1:${PORT}/metrics`;
}

const started = () => (test === undefined ? "" : describeStart(test.service));

describe("GET /metrics", () => {
  it("is open to programs on this machine, but not through a proxy", async () => {
    const url = await start({});
    expect(await get(url)).toMatchObject({ status: 200 });
    expect((await get(url)).text).toContain("toolhost_nodes");
    const forwarded = [
      { "x-forwarded-for": "203.0.113.9" },
      { "x-forwarded-for": "127.0.0.1" },
      { "x-forwarded-proto": "https" },
      { "x-real-ip": "203.0.113.9" },
      { forwarded: "for=203.0.113.9" },
      { via: "1.1 proxy" },
      { "X-Forwarded-Port": "443" },
      { "X-Forwarded": "for=203.0.113.9" },
      { "X-Original-Host": "tools.example.com" },
      { "X-Original-Forwarded-For": "203.0.113.9" },
      { "CF-Ray": "230b030023ae2822-SJC" },
      { "CF-Connecting-IP": "203.0.113.9" },
      { "Fastly-Client-IP": "203.0.113.9" },
      { "True-Client-IP": "203.0.113.9" },
      { "X-Client-IP": "203.0.113.9" },
      { "X-Envoy-External-Address": "203.0.113.9" },
      { "X-Amzn-Trace-Id": "Root=1-67891233-abcdef012345678912345678" },
      { "X-Forwarded-For": "" },
      { host: "tools.example.com" },
      { host: "127.0.0.1.example.com" },
      { host: "localhost.example.com:3000" },
    ];
    for (const headers of forwarded) {
      expect([headers, (await get(url, headers)).status]).toEqual([headers, 404]);
    }
    const collector = { "x-prometheus-scrape-timeout-seconds": "10", "user-agent": "Prometheus" };
    expect((await get(url, collector)).status).toBe(200);
    expect(started()).not.toContain("Metrics: off");
  });

  it.each([
    ["the service listens on all addresses", { HOST: "0.0.0.0" }],
    ["agents reach it by another address", { MCP_URL: "https://mcp.example.com" }],
  ])("is off when %s, and the start says what to set", async (_, settings) => {
    const url = await start({ SANDBOX_ISOLATION: "process", ...settings });
    expect((await get(url)).status).toBe(404);
    expect(started()).toMatch(/Metrics: off, .+ METRICS_TOKEN.+ METRICS_PORT/);
  });

  it("is off if the base URL is public", async () => {
    const url = await start({});
    if (test !== undefined) test.service.context.config.baseUrl = "https://tools.example.com";
    expect((await get(url)).status).toBe(404);
    expect(started()).toContain("Metrics: off");
  });

  it("requires the token if one is set, also from this machine", async () => {
    const url = await start({ METRICS_TOKEN: token });
    const wrong = [
      {},
      { authorization: "Bearer " },
      { authorization: `Bearer ${token}x` },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: token },
      { authorization: `Basic ${token}` },
    ];
    for (const headers of wrong) expect((await get(url, headers)).status).toBe(401);
    const right = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.9" };
    expect((await get(url, right)).status).toBe(200);
  });

  it("has only a separate port if one is set", async () => {
    const url = await start({ METRICS_PORT: "0" });
    const own = `http://127.0.0.1:${test?.service.metricsPort}`;
    expect((await get(`${own}/metrics`)).text).toContain("toolhost_nodes");
    expect((await get(`${own}/healthz`)).status).toBe(404);
    expect((await get(url)).status).toBe(404);
    expect(started()).toContain("Metrics: http://127.0.0.1:");
  });

  it("requires the token on its separate port too", async () => {
    const url = await start({ METRICS_PORT: "0", METRICS_TOKEN: token });
    const own = `http://127.0.0.1:${test?.service.metricsPort}/metrics`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await get(own)).status).toBe(401);
    expect((await get(own, headers)).status).toBe(200);
    expect((await get(url, headers)).status).toBe(200);
  });
});

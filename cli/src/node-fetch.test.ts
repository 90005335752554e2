import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFetch, smallFetch } from "./node-fetch.ts";

let service: Server;
let address: string;
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;

beforeEach(async () => {
  service = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => void service.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
});
afterEach(() => {
  service.closeAllConnections();
  service.close();
});

const echo = () => {
  answer = async (request, response) => {
    const body = await text(request);
    const { method, headers } = request;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ method, headers, body }));
  };
};

describe("smallFetch", () => {
  it("stops reading an endless response", async () => {
    let isClosed = false;
    answer = (_request, response) => {
      response.once("close", () => (isClosed = true));
      const chunk = Buffer.alloc(65_536, "x");
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once("drain", write);
      };
      write();
    };
    const response = await smallFetch(address, {});
    await expect(response.text()).rejects.toThrow("sent a response of more than 1 MB");
    await expect.poll(() => isClosed).toBe(true);
  });

  it("reads a response of 1 MB", async () => {
    answer = (_request, response) => response.end("x".repeat(1_048_576));
    const response = await smallFetch(address, {});
    expect(await response.text()).toHaveLength(1_048_576);
  });
});

describe("nodeFetch", () => {
  it.each([
    ["text", '{"a":"ü"}', '{"a":"ü"}'],
    ["a form", new URLSearchParams({ a: "b c" }), "a=b+c"],
    ["a blob", new Blob(["x".repeat(100_000)]), "x".repeat(100_000)],
  ])("sends %s", async (_, body, sent) => {
    echo();
    const response = await nodeFetch(address, { method: "POST", headers: { "x-a": "1" }, body });
    expect(response).toMatchObject({ ok: true, status: 200, url: address });
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toMatchObject({
      method: "POST",
      headers: { "x-a": "1", "user-agent": expect.stringMatching(/^toolhost-cli\//) },
      body: sent,
    });
  });

  it("follows no redirect", async () => {
    answer = (_, response) => response.writeHead(302, { location: "/other" }).end();
    const response = await nodeFetch(address, {});
    expect([response.ok, response.status]).toEqual([false, 302]);
    await response.text();
  });

  it("has no body if the status has none", async () => {
    answer = (_, response) => response.writeHead(204).end();
    expect((await nodeFetch(address, {})).body).toBeNull();
  });

  it("ends with the reason of the signal, before the response and while its body is read", async () => {
    answer = () => {};
    const early = new AbortController();
    setTimeout(() => early.abort(new Error("enough")), 50);
    await expect(nodeFetch(address, { signal: early.signal })).rejects.toThrow("enough");
    answer = (_, response) => void response.write("half");
    const late = new AbortController();
    const response = await nodeFetch(address, { signal: late.signal });
    setTimeout(() => late.abort(new Error("enough")), 50);
    await expect(response.text()).rejects.toThrow("enough");
    await expect(nodeFetch(address, { signal: late.signal })).rejects.toThrow("enough");
  });

  it("fails if the connection is lost in the middle of a body", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-length": "10" }).write("half");
      setTimeout(() => response.destroy(), 20);
    };
    const response = await nodeFetch(address, {});
    await expect(response.text()).rejects.toThrow("aborted");
  });

  it("gives the body in parts as they arrive", async () => {
    answer = (_, response) => {
      response.write("one");
      setTimeout(() => response.end("two"), 100);
    };
    const { body } = await nodeFetch(address, {});
    const parts: string[] = [];
    for await (const part of body ?? []) parts.push(Buffer.from(part).toString());
    expect(parts).toEqual(["one", "two"]);
  });
});

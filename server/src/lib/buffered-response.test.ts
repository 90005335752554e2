import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { BufferedResponse } from "./buffered-response.ts";

test("leaves the global classes native", async () => {
  const server = createServer((_, response) => response.end("text")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(new Request(`http://127.0.0.1:${port}/`));
  server.close();
  expect(response).toBeInstanceOf(Response);
  expect(await response.text()).toBe("text");
});

test("is a response with headers, status and text", async () => {
  const response = new BufferedResponse("text", { status: 201, headers: { "x-name": "value" } });
  expect(BufferedResponse).not.toBe(Response);
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.headers.get("x-name")]).toEqual([201, "value"]);
  expect(await response.text()).toBe("text");
});

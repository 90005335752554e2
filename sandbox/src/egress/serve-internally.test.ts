import { afterAll, beforeAll, expect, test } from "vitest";
import { failure, MEBIBYTE, output, run, testSandbox, until } from "../test-sandbox.ts";
import type { Sandbox } from "../types.ts";
import type { InternalService } from "./internal-service.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.stop());

const asks = (path: string, init = "{}") =>
  `export default async () => {
    const answer = await fetch("http://echo.internal${path}", ${init});
    return { status: answer.status, own: answer.headers.get("x-own"), text: await answer.text() };
  }`;
const withService = (service: InternalService) => ({ services: { "echo.internal": service } });

test("answers requests to its host, which are not in the egress report", async () => {
  const echo: InternalService = async (request) => {
    const { pathname, search } = new URL(request.url);
    const text = `${request.method} ${pathname}${search} ${await request.text()}`;
    return new Response(text, { status: 201, headers: { "x-own": "yes" } });
  };
  const module = asks("/a/b?c=d", `{ method: "POST", body: "hello" }`);
  const result = await run(sandbox, module, withService(echo));
  expect(output(result)).toEqual({ status: 201, own: "yes", text: "POST /a/b?c=d hello" });
  expect(result.egress).toEqual([]);
});

test("denies the host to runs without the service", async () => {
  const refused = failure(await run(sandbox, asks("/")));
  expect(refused.code).toBe("egress_denied");
  const elsewhere = asks("/").replace("echo.internal", "echo.internal:8080");
  const service = withService(async () => new Response("no"));
  expect(failure(await run(sandbox, elsewhere, service)).code).toBe("egress_denied");
});

test("fails the fetch without the cause when the service throws", async () => {
  const result = await run(
    sandbox,
    asks("/"),
    withService(() => Promise.reject(new Error("a secret"))),
  );
  expect(failure(result)).toMatchObject({ code: "tool_error", message: "TypeError: fetch failed" });
});

test("applies backpressure to the response", async () => {
  let made = 0;
  const chunk = new Uint8Array(64 * 1024);
  const service: InternalService = async () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          made += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
  const module = `export default async () => {
    const answer = await fetch("http://echo.internal/");
    const reader = answer.body.getReader();
    const { value } = await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await reader.cancel();
    return value.length > 0;
  }`;
  expect(output(await run(sandbox, module, withService(service)))).toBe(true);
  expect(made).toBeLessThan(8 * MEBIBYTE);
});

test("streams the request body, and cuts it off when the run ends", async () => {
  const seen: string[] = [];
  const service: InternalService = async (request) => {
    try {
      for await (const part of request.body ?? []) seen.push(new TextDecoder().decode(part));
      seen.push("end");
    } catch {
      seen.push("broken");
    }
    return new Response("");
  };
  const module = `export default async () => {
    let sent = 0;
    const body = new ReadableStream({
      async pull(controller) {
        if (sent++ > 0) await new Promise((resolve) => setTimeout(resolve, 60_000));
        controller.enqueue(new TextEncoder().encode("first"));
      },
    });
    fetch("http://echo.internal/", { method: "POST", body }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    return "over";
  }`;
  expect(output(await run(sandbox, module, withService(service)))).toBe("over");
  await until(() => seen.length > 1);
  expect(seen).toEqual(["first", "broken"]);
});

test("aborts the service's work when the run ends", async () => {
  const reasons: unknown[] = [];
  const service: InternalService = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reasons.push(signal.reason);
        reject(new Error("over"));
      });
    });
  const module = `export default async () => {
    fetch("http://echo.internal/").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "early";
  }`;
  expect(output(await run(sandbox, module, withService(service)))).toBe("early");
  await until(() => reasons.length > 0);
});

test("delivers an early response to a tool that is still sending", async () => {
  const service: InternalService = async () => new Response("too large", { status: 413 });
  const module = asks("/", `{ method: "POST", body: new Uint8Array(${32 * MEBIBYTE}) }`);
  const answered = output(await run(sandbox, module, withService(service)));
  expect(answered).toMatchObject({ status: 413 });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InternalService } from "./egress/internal-service.ts";
import { failure, output, run, testSandbox } from "./test-sandbox.ts";
import type { Sandbox } from "./types.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.stop());

const withQuestions = (service: InternalService) => ({
  services: { "questions.internal": service },
});
const question = { message: "Which?", schema: { type: "object", properties: {} } };
const asking = `export default (input, ctx) => ctx.ask(${JSON.stringify({ ...question, other: 1 })})`;

describe("ctx.ask", () => {
  it("sends the message and the schema, and returns the answer", async () => {
    let asked: unknown;
    const service: InternalService = async (request) => {
      asked = await request.json();
      return Response.json({ action: "accept", content: { a: 1 } });
    };
    const result = await run(sandbox, asking, withQuestions(service));
    expect(output(result)).toEqual({ action: "accept", content: { a: 1 } });
    expect(asked).toEqual(question);
    expect(result.egress).toEqual([]);
  });

  it("rejects with the code and message of a refusal", async () => {
    const service: InternalService = async () =>
      Response.json({ code: "forbidden", message: "Too many." }, { status: 403 });
    const { code, message } = failure(await run(sandbox, asking, withQuestions(service)));
    expect({ code, message }).toEqual({ code: "tool_error", message: "ctx.ask: Too many." });
  });

  it("is unavailable without the internal service", async () => {
    const { message } = failure(await run(sandbox, asking));
    expect(message).toBe("ctx.ask is not available on this server");
  });

  it("works when the tool has replaced the globals that it uses", async () => {
    const module = `
      JSON.stringify = () => "{}"; globalThis.fetch = () => { throw new Error("replaced"); };
      Response.prototype.text = () => { throw new Error("replaced"); };
      ${asking}`;
    const service: InternalService = async (request) => Response.json(await request.json());
    expect(output(await run(sandbox, module, withQuestions(service)))).toEqual(question);
  });

  it("ends the request when the run is cancelled", async () => {
    const stop = new AbortController();
    const aborted = Promise.withResolvers<void>();
    const service: InternalService = (_, signal) => {
      signal.addEventListener("abort", () => aborted.resolve(), { once: true });
      stop.abort();
      return new Promise(() => {});
    };
    const result = await run(sandbox, asking, { ...withQuestions(service), signal: stop.signal });
    expect(result.status).toBe("cancelled");
    await aborted.promise;
  });
});

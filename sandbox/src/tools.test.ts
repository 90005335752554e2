import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InternalService } from "./egress/internal-service.ts";
import { failure, output, run, testSandbox, until } from "./test-sandbox.ts";
import type { Sandbox } from "./types.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.stop());

const withTools = (service: InternalService) => ({ services: { "tools.internal": service } });
const answer = (body: unknown, status = 200) => Response.json(body, { status });
const caught = `export default async (input, ctx) => {
  try { return await ctx.tools.run("other_a1b2", { n: 1 }); }
  catch (error) { return { isError: error instanceof Error, message: error.message, ...error }; }
}`;

describe("ctx.tools.run", () => {
  test("requests a run of the tool and returns its output", async () => {
    const service: InternalService = async (request) =>
      answer({ asked: new URL(request.url).pathname, input: await request.json() });
    const result = await run(sandbox, caught, withTools(service));
    expect(output(result)).toEqual({ asked: "/other_a1b2", input: { n: 1 } });
    expect(result.egress).toEqual([]);
  });

  test("rejects with the error's code and message, and the tool's name", async () => {
    const refusal = { code: "timeout", message: "Too slow.", runId: "r1" };
    const result = await run(
      sandbox,
      caught,
      withTools(async () => answer(refusal, 422)),
    );
    const message = "other_a1b2: Too slow.";
    expect(output(result)).toEqual({ isError: true, message, code: "timeout", runId: "r1" });
  });

  test("fails the parent run as tool_error, regardless of the child's error code", async () => {
    const refusal = {
      code: "egress_denied",
      message: "egress_denied: the request to x was denied",
    };
    const service: InternalService = async () => answer(refusal, 422);
    const modules = [
      `export default (input, ctx) => ctx.tools.run("other_a1b2", {})`,
      `export default async (input, ctx) => {
        try { await ctx.tools.run("other_a1b2", {}); }
        catch (cause) { throw new Error("It did not work", { cause }); }
      }`,
    ];
    const failures = [];
    for (const module of modules) {
      failures.push(failure(await run(sandbox, module, withTools(service))));
    }
    expect(failures).toMatchObject([
      { code: "tool_error", message: `other_a1b2: ${refusal.message}` },
      { code: "tool_error", message: "It did not work" },
    ]);
  });

  test("is unavailable without the internal service", async () => {
    const module = `export default (input, ctx) => ctx.tools.run("other_a1b2", {})`;
    const { message } = failure(await run(sandbox, module));
    expect(message).toBe("ctx.tools.run is not available on this server");
  });

  test("validates the name and the input before sending a request", async () => {
    let asked = 0;
    const service: InternalService = async () => {
      asked += 1;
      return answer({});
    };
    const module = `export default async (input, ctx) => {
      const said = [];
      const calls = [[undefined, {}], ["a_a1b2"], ["a_a1b2", { n: 1n }], ["a_a1b2", () => 1]];
      for (const [name, value] of calls)
        await ctx.tools.run(name, value).catch((error) => said.push(error.message));
      return said;
    }`;
    expect(output(await run(sandbox, module, withTools(service)))).toEqual([
      "ctx.tools.run expects the name of a tool",
      "The input of a_a1b2 must be an object",
      expect.stringContaining("The input of a_a1b2 cannot be serialized as JSON: "),
      "The input of a_a1b2 must be an object",
    ]);
    expect(asked).toBe(0);
  });

  test("runs eight calls concurrently and starts the others in order", async () => {
    let atWork = 0;
    let most = 0;
    const order: number[] = [];
    const service: InternalService = async (request) => {
      const { n } = (await request.json()) as { n: number };
      order.push(n);
      most = Math.max(most, ++atWork);
      await new Promise((resolve) => setTimeout(resolve, 30));
      atWork -= 1;
      return answer({ n });
    };
    const module = `export default async (input, ctx) => {
      const calls = Array.from({ length: 60 }, (_, n) => ctx.tools.run("other_a1b2", { n }));
      return (await Promise.all(calls)).map(({ n }) => n);
    }`;
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    expect(output(await run(sandbox, module, withTools(service)))).toEqual(numbers);
    expect(most).toBe(8);
    // Concurrent calls may arrive in any order, so each can be at most eight positions ahead.
    expect(order.filter((n, place) => n - place >= 8)).toEqual([]);
  });

  test("works for a tool that replaced the globals it uses", async () => {
    const module = `
      for (const of of [Promise, Array, WeakSet, Response, String])
        for (const name of Object.getOwnPropertyNames(of.prototype))
          if (name !== "constructor" && name !== "then") try { of.prototype[name] = () => { throw 1 } } catch {}
      globalThis.fetch = JSON.parse = JSON.stringify = () => { throw 2 };
      export default (input, ctx) => ctx.tools.run("other_a1b2", {})`;
    const result = await run(
      sandbox,
      module,
      withTools(async () => answer({ fine: true })),
    );
    expect(output(result)).toEqual({ fine: true });
  });
});

describe("a run that waits for a child run", () => {
  test("uses no CPU time while it waits", async () => {
    const service: InternalService = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return answer({ fine: true });
    };
    const result = await run(sandbox, caught, withTools(service));
    expect(output(result)).toEqual({ fine: true });
    expect(result.cpuMs).toBeLessThan(500);
  });

  test("gets a process for the child although parents have taken all of theirs", async () => {
    const small = await testSandbox({ maxProcesses: 2, childProcesses: 1, idleProcesses: 1 });
    const child = `export default () => ({ fine: true })`;
    let children = Promise.resolve();
    const service: InternalService = async () => {
      const turn = children.then(() => run(small, child, { isChild: true }));
      children = turn.then(() => undefined);
      return answer(output(await turn));
    };
    const parents = Array.from({ length: 6 }, () => run(small, caught, withTools(service)));
    await until(() => small.stats().waiting > 0);
    expect((await Promise.all(parents)).map(output)).toEqual(parents.map(() => ({ fine: true })));
    expect(small.stats()).toMatchObject({ leased: 0, waiting: 0 });
    expect(small.stats().processes).toBeLessThanOrEqual(3);
    await small.stop();
  });
});

test("calls onStart when it has a process and its wall time starts", async () => {
  const one = await testSandbox({ maxProcesses: 1, idleProcesses: 1 });
  const events: string[] = [];
  const wait = `export default () => new Promise((resolve) => setTimeout(resolve, 200))`;
  const first = run(one, wait).then(() => events.push("first over"));
  const second = run(one, wait, { onStart: () => events.push("second begins") });
  await Promise.all([first, second]);
  expect(events).toEqual(["first over", "second begins"]);
  await one.stop();
});

import { startHelper } from "./helper.ts";
import { openClient } from "./http-client.ts";
import { numberField, textField } from "./json.ts";
import { isLoad, runLoad } from "./load.ts";
import type { Load } from "./load.ts";
import { runCall, saveTool } from "./service.ts";
import type { Service } from "./service.ts";
import { drainMs, toolCode } from "./settings.ts";
import type { Isolation } from "./settings.ts";

/** A call that generates load. */
export type SubjectName = "service" | "bare pool" | "echo";

/** A subject of the benchmark, in a separate process. */
export type Subject = {
  name: SubjectName;
  pid: number;
  /** How long work continues after the last response. It is attributed to the requests. */
  drainMs: number;
  /** Null if isolation does not apply. */
  load(isolation: Isolation | null, concurrency: number, seconds: number): Promise<Load>;
  stop(): Promise<void>;
};

/** Runs through the service over HTTP, with a new tool for each isolation mode. Also returns the size of a response. */
export async function serviceSubject(
  service: Service,
): Promise<{ subject: Subject; answerBytes: number }> {
  const { pid, port, apiKey } = service;
  const client = openClient(port);
  const save = (isolation: Isolation) =>
    saveTool(client, apiKey, { title: `Sum ${isolation}`, code: toolCode, isolation });
  const tools = { reuse: await save("reuse"), fresh: await save("fresh") };
  const answerBytes = await runCall(client, apiKey, tools.reuse)();
  client.close();
  const subject: Subject = {
    name: "service",
    pid,
    drainMs,
    load: (isolation, concurrency, seconds) =>
      withClient(port, (opened) => {
        const call = runCall(opened, apiKey, tools[isolation ?? "reuse"]);
        return runLoad(concurrency, seconds, async () => void (await call()));
      }),
    stop: () => service.stop(),
  };
  return { subject, answerBytes };
}

/** Runs in the sandbox's pool, without the service. */
export async function barePoolSubject(
  dataDir: string,
): Promise<{ subject: Subject; layer: string }> {
  const { hello, pid, ask, stop } = await startHelper("bare-pool.ts", [dataDir]);
  const subject: Subject = {
    name: "bare pool",
    pid,
    // Fresh isolates are prewarmed.
    drainMs: 300,
    load: async (isolation, concurrency, seconds) => {
      const load = await ask({ isolation, concurrency, seconds });
      if (!isLoad(load)) throw new Error("The bare pool returned an invalid result");
      return load;
    },
    stop,
  };
  return { subject, layer: textField(hello, "layer") };
}

/** A server that returns JSON of the given size, with only Node's HTTP module. */
export async function echoSubject(answerBytes: number): Promise<Subject> {
  const { hello, pid, stop } = await startHelper("echo.ts", [`${answerBytes}`]);
  const port = numberField(hello, "port");
  return {
    name: "echo",
    pid,
    drainMs: 0,
    load: (_, concurrency, seconds) =>
      withClient(port, (client) =>
        runLoad(concurrency, seconds, async () => {
          const body = JSON.stringify({ a: 1, b: 1 });
          const { status, text } = await client.send("POST", "/", {}, body);
          const isRight = status === 200 && text.length === answerBytes;
          if (!isRight) throw new Error(`The echo server responded with ${status}: ${text}`);
        }),
      ),
    stop,
  };
}

/** New connections for each load, because servers close idle ones. */
async function withClient<T>(
  port: number,
  use: (client: ReturnType<typeof openClient>) => Promise<T>,
): Promise<T> {
  const client = openClient(port);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

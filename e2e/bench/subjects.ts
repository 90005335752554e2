import { startHelper } from "./helper.ts";
import { openClient } from "./http-client.ts";
import { numberField, textField } from "./json.ts";
import { isLoad, runLoad } from "./load.ts";
import type { Load } from "./load.ts";
import { runCall, saveTool } from "./service.ts";
import type { Service } from "./service.ts";
import { toolCode } from "./settings.ts";
import type { Isolation } from "./settings.ts";

/** Whatever is put under load. */
export type SubjectName = "service" | "bare pool" | "echo";

/** Something to put under load, in a process of its own. */
export type Subject = {
  name: SubjectName;
  pid: number;
  /** How long work goes on after the last answer; it belongs to the requests before. */
  settleMs: number;
  /** Null for what knows no isolation. */
  load(isolation: Isolation | null, concurrency: number, seconds: number): Promise<Load>;
  stop(): Promise<void>;
};

/** The service's runs over HTTP, on a tool of each isolation that this saves. Also gives an answer's size. */
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
    // The audit trail is sealed up to a second after a run.
    settleMs: 1_300,
    load: (isolation, concurrency, seconds) =>
      withClient(port, (opened) => {
        const call = runCall(opened, apiKey, tools[isolation ?? "reuse"]);
        return runLoad(concurrency, seconds, async () => void (await call()));
      }),
    stop: () => service.stop(),
  };
  return { subject, answerBytes };
}

/** The sandbox's pool called directly, without a service. */
export async function barePoolSubject(
  dataDir: string,
): Promise<{ subject: Subject; layer: string }> {
  const { hello, pid, ask, stop } = await startHelper("bare-pool.ts", [dataDir]);
  const subject: Subject = {
    name: "bare pool",
    pid,
    // Fresh isolates are made ready ahead.
    settleMs: 300,
    load: async (isolation, concurrency, seconds) => {
      const load = await ask({ isolation, concurrency, seconds });
      if (!isLoad(load)) throw new Error("The bare pool did not answer with a load");
      return load;
    },
    stop,
  };
  return { subject, layer: textField(hello, "layer") };
}

/** A server that answers JSON of the given size with Node's HTTP and nothing else. */
export async function echoSubject(answerBytes: number): Promise<Subject> {
  const { hello, pid, stop } = await startHelper("echo.ts", [`${answerBytes}`]);
  const port = numberField(hello, "port");
  return {
    name: "echo",
    pid,
    settleMs: 0,
    load: (_, concurrency, seconds) =>
      withClient(port, (client) =>
        runLoad(concurrency, seconds, async () => {
          const body = JSON.stringify({ a: 1, b: 1 });
          const { status, text } = await client.send("POST", "/", {}, body);
          const isRight = status === 200 && text.length === answerBytes;
          if (!isRight) throw new Error(`The echo answered ${status}: ${text}`);
        }),
      ),
    stop,
  };
}

/** New connections for each load, since a server closes those that were idle for a while. */
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

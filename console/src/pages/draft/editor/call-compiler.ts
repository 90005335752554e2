import type { Language } from "./compiler/language-service.ts";
import type { Answer, Request } from "./compiler/ts-worker.ts";
import { messages } from "./messages.ts";

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let lastId = 0;

/**
 * Calls the compiler, which is loaded with the first call. Calls are answered in their order. The compiler can fail for some
 * code, and loading it can fail.
 */
export function callCompiler<Method extends keyof Language>(
  method: Method,
  ...args: Parameters<Language[Method]>
): Promise<ReturnType<Language[Method]>> {
  worker ??= start();
  lastId += 1;
  const request: Request = { id: lastId, method, args };
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  waiting.set(lastId, { resolve, reject });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Workers have none.
  worker.postMessage(request);
  return promise as Promise<ReturnType<Language[Method]>>;
}

function start(): Worker {
  // The bundler finds the worker by this expression.
  const started = new Worker(new URL("./compiler/ts-worker.ts", import.meta.url), {
    type: "module",
  });
  started.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error === undefined) call?.resolve(data.value);
    else call?.reject(new Error(data.error));
  });
  started.addEventListener("error", () => {
    for (const { reject } of waiting.values()) reject(new Error(messages.startFailed));
    waiting.clear();
  });
  return started;
}

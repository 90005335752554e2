import { fork } from "node:child_process";
import type { Serializable } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A program of this folder in a process of its own, so that its CPU time can be told from ours. */
export type Helper = {
  pid: number;
  /** The first message it sent, once it was ready. */
  hello: unknown;
  /** Sends it a task and gives back its answer; one at a time. */
  ask: (message: Serializable) => Promise<unknown>;
  /** Lets it end by itself. */
  stop: () => Promise<void>;
};

const stopMs = 10_000;

/** Starts a program and waits until it says hello; throws when it ends before that. */
export async function startHelper(file: string, args: readonly string[]): Promise<Helper> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const answer = async () => {
    const message = new Promise<unknown>((resolve) => child.once("message", resolve));
    const lost = ended.then(() => {
      throw new Error(`${file} ended with ${child.signalCode ?? `code ${child.exitCode}`}`);
    });
    return Promise.race([message, lost]);
  };
  const hello = await answer();
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} did not start`);
  return {
    pid,
    hello,
    ask: (message) => {
      const answered = answer();
      child.send(message);
      return answered;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

import { fork } from "node:child_process";
import type { Serializable } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endOnExit } from "./cleanup.ts";

/** A program in this folder that runs in a separate process, so that its CPU time is measured separately. */
export type Helper = {
  pid: number;
  /** Its first message, which it sends when it is ready. */
  hello: unknown;
  /** Sends it a task and returns its response. One at a time. */
  ask: (message: Serializable) => Promise<unknown>;
  /** Disconnects, so that it exits. */
  stop: () => Promise<void>;
};

const stopMs = 10_000;

/** Starts a program and waits for its first message. Throws if it exits before that. */
export async function startHelper(file: string, args: readonly string[]): Promise<Helper> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  endOnExit(child);
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

import process from "node:process";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { undeletedDraft } from "./draft.ts";

const cleanUpMs = 6_000;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs something whose signal aborts on Ctrl-C. It then has some seconds to delete what it created on the server, and a second
 * Ctrl-C ends the process at once.
 */
export async function withInterrupt<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort(interrupted());
    timer = setTimeout(() => {
      process.stderr.write(`Interrupted. The service did not respond. ${undeletedDraft}\n`);
      process.exit(exitCodes.interrupted);
    }, cleanUpMs);
  };
  for (const name of signals) process.on(name, interrupt);
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const name of signals) process.off(name, interrupt);
  }
}

const interrupted = () =>
  new CliError("Interrupted.", { code: "interrupted", exitCode: exitCodes.interrupted });

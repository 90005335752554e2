import process from "node:process";
import { run } from "@stricli/core";
import { completeCommand, printCompletions } from "./commands/completion.ts";
import { createApplication } from "./commands/index.ts";
import { exitCodes } from "./terminal/exit-codes.ts";

/** Runs the command line of this process and sets its exit code. */
export async function runCli(args: readonly string[]): Promise<void> {
  // A reader that ends early, such as head, is no error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
  }
  const outcome = { exitCode: 0 };
  const { stdout, stderr } = process;
  const env = isPlain(process.env) ? { ...process.env, STRICLI_NO_COLOR: "1" } : process.env;
  const state: { exitCode?: number | string | null } = {};
  const streams = { stdout, stderr, env };
  const application = createApplication(args.includes("--json"));
  if (args[0] === completeCommand) return printCompletions(application, args.slice(1));
  await run(application, args, { process: Object.assign(state, streams), outcome });
  const code = Number(state.exitCode ?? 0);
  // The library's own codes are negative: an unknown command, or wrong arguments.
  process.exitCode = code === 0 ? outcome.exitCode : code < 0 ? exitCodes.usage : code;
}

function isPlain({ NO_COLOR, CI, TERM }: NodeJS.ProcessEnv): boolean {
  return Boolean(NO_COLOR) || Boolean(CI) || TERM === "dumb";
}

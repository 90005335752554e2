import process from "node:process";
import { run } from "@stricli/core";
import { completeCommand, printCompletions } from "./commands/completion.ts";
import { createApplication } from "./commands/index.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { toJsonText } from "./terminal/text.ts";
import { watchOutput } from "./terminal/watch-output.ts";
import { version } from "./version.ts";

/** Runs the command line of this process and sets its exit code. */
export async function runCli(args: readonly string[]): Promise<void> {
  const isJson = args.includes("--json");
  watchOutput({ isJson });
  if (
    isJson &&
    args.some(isVersionFlag) &&
    args.every((arg) => isVersionFlag(arg) || arg === "--json")
  ) {
    process.stdout.write(`${toJsonText({ version }, 2)}\n`);
    return;
  }
  const outcome = { exitCode: 0 };
  const { stdout, stderr } = process;
  const env = isPlain(process.env) ? { ...process.env, STRICLI_NO_COLOR: "1" } : process.env;
  const state: { exitCode?: number | string | null } = {};
  const streams = { stdout, stderr, env };
  const application = createApplication(isJson, args);
  if (args[0] === completeCommand) return printCompletions(application, args.slice(1));
  if (isBridgeWithoutDashes(args)) {
    stderr.write("Put -- before the command of the server: toolhost bridge -- COMMAND\n");
    process.exitCode = exitCodes.usage;
    return;
  }
  await run(application, args, { process: Object.assign(state, streams), outcome });
  const code = Number(state.exitCode ?? 0);
  // The library's own codes are negative: an unknown command, or wrong arguments.
  process.exitCode = code === 0 ? outcome.exitCode : code < 0 ? exitCodes.usage : code;
}

/** Options of the server's command would be read as those of `toolhost bridge`. */
function isBridgeWithoutDashes([command, ...rest]: readonly string[]): boolean {
  if (command !== "bridge" || rest.includes("--")) return false;
  const isHelp = rest.some((arg) => ["--help", "-h", "--helpAll", "-H"].includes(arg));
  const words = rest.filter(
    (arg, at) => !arg.startsWith("-") && !["--name", "--url"].includes(rest[at - 1] ?? ""),
  );
  return !isHelp && words.length > 0;
}

const isVersionFlag = (arg: string) => arg === "--version" || arg === "-v";

function isPlain({ NO_COLOR, CI, TERM }: NodeJS.ProcessEnv): boolean {
  return Boolean(NO_COLOR) || Boolean(CI) || TERM === "dumb";
}

import {
  buildApplication,
  buildRouteMap,
  FlagNotFoundError,
  text_en,
  UnsatisfiedPositionalError,
} from "@stricli/core";
import type { Application, Command, RouteMap } from "@stricli/core";
import type { CliContext } from "../define-command.ts";
import { describeError, formatError } from "../report-error.ts";
import { usageError } from "../terminal/cli-error.ts";
import type { CliError } from "../terminal/cli-error.ts";
import { version } from "../version.ts";
import { login, logout, whoami } from "./account.definitions.ts";
import {
  diff,
  init,
  link,
  newTool,
  pull,
  push,
  rename,
  status,
  tools,
} from "./project.definitions.ts";
import { bridge } from "./bridge.definitions.ts";
import { completion } from "./completion.ts";
import { dev, test } from "./dev.definitions.ts";
import { mcp, secret, types } from "./more.definitions.ts";
import { imports, importTools } from "./import.definitions.ts";
import { cancel, file, logs, run, runs } from "./runs.definitions.ts";

/** All commands. Their implementations are not loaded. */
export const rootCommands = buildRouteMap({
  routes: {
    init,
    new: newTool,
    pull,
    push,
    diff,
    status,
    rename,
    link,
    tools,
    dev,
    test,
    run,
    runs,
    logs,
    cancel,
    file,
    secret,
    import: importTools,
    imports,
    bridge,
    types,
    mcp,
    completion,
    whoami,
    login,
    logout,
  },
  docs: { brief: "Builds, tests and runs tools on a Toolhost service" },
});

/** The costs of a typing error that decide which names are suggested: one that is wrong, missing, or twice. */
const distanceOptions = {
  threshold: 3,
  weights: { insertion: 1, deletion: 3, substitution: 2, transposition: 0 },
} as const;

const toKebabCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Says what to type instead of arguments that cannot be parsed. */
function explainArguments(error: unknown, args: readonly string[]): CliError {
  if (error instanceof FlagNotFoundError) {
    return usageError(
      `There is no option --${error.input}.`,
      ...error.corrections.map((name) => `did you mean --${toKebabCase(name)}?`),
    );
  }
  if (!(error instanceof UnsatisfiedPositionalError)) {
    return usageError(text_en.exceptionWhileParsingArguments(error, false));
  }
  const missing = error.placeholder.toUpperCase();
  const name = ["toolhost", ...commandIn(args)].join(" ");
  return usageError(`${missing} is missing.`, `${name} ${missing}`, `${name} --help`);
}

/** The names of the command that arguments start with. */
function commandIn(args: readonly string[]): string[] {
  const names: string[] = [];
  let target: RouteMap<CliContext> | Command<CliContext> | undefined = rootCommands;
  for (const arg of args) {
    target =
      "getRoutingTargetForInput" in target ? target.getRoutingTargetForInput(arg) : undefined;
    if (target === undefined) break;
    names.push(arg);
  }
  return names;
}

/** The application. Errors are printed as JSON if the command line has `--json`. */
export function createApplication(
  isJson: boolean,
  args: readonly string[],
): Application<CliContext> {
  const show = (error: unknown, hasColor: boolean) => formatError(error, { isJson, hasColor });
  return buildApplication(rootCommands, {
    name: "toolhost",
    versionInfo: { currentVersion: version },
    scanner: {
      caseStyle: "allow-kebab-for-camel",
      allowArgumentEscapeSequence: true,
      distanceOptions,
    },
    documentation: { caseStyle: "convert-camel-to-kebab" },
    determineExitCode: (error) => describeError(error).exitCode,
    localization: {
      text: {
        ...text_en,
        exceptionWhileRunningCommand: show,
        exceptionWhileLoadingCommandFunction: show,
        exceptionWhileParsingArguments: (error, hasColor) =>
          show(explainArguments(error, args), hasColor),
        noCommandRegisteredForInput: ({ input, corrections, ansiColor }) =>
          show(
            usageError(
              `There is no command "${input}".`,
              ...corrections.map((name) => `did you mean toolhost ${name.replaceAll("`", "")}?`),
              "toolhost --help",
            ),
            ansiColor,
          ),
      },
    },
  });
}

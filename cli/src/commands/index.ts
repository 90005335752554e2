import { buildApplication, buildRouteMap, text_en } from "@stricli/core";
import type { Application } from "@stricli/core";
import type { CliContext } from "../define-command.ts";
import { describeError, formatError } from "../report-error.ts";
import { usageError } from "../terminal/cli-error.ts";
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
import { completion } from "./completion.ts";
import { dev, test } from "./dev.definitions.ts";
import { mcp, secret, types } from "./more.definitions.ts";
import { cancel, logs, run, runs } from "./runs.definitions.ts";

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
    secret,
    types,
    mcp,
    completion,
    whoami,
    login,
    logout,
  },
  docs: { brief: "Builds, tests and runs tools on a Toolhost service" },
});

/** The application. Errors are printed as JSON if the command line has `--json`. */
export function createApplication(isJson: boolean): Application<CliContext> {
  const show = (error: unknown, hasColor: boolean) => formatError(error, { isJson, hasColor });
  const usage = (message: string, hasColor: boolean) => show(usageError(message), hasColor);
  return buildApplication(rootCommands, {
    name: "toolhost",
    versionInfo: { currentVersion: version },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { caseStyle: "convert-camel-to-kebab" },
    determineExitCode: (error) => describeError(error).exitCode,
    localization: {
      text: {
        ...text_en,
        exceptionWhileRunningCommand: show,
        exceptionWhileLoadingCommandFunction: show,
        exceptionWhileParsingArguments: (error, hasColor) =>
          usage(text_en.exceptionWhileParsingArguments(error, false), hasColor),
        noCommandRegisteredForInput: (given) =>
          usage(
            text_en.noCommandRegisteredForInput({ ...given, ansiColor: false }),
            given.ansiColor,
          ),
      },
    },
  });
}

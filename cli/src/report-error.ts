import process from "node:process";
import { CliError } from "./terminal/cli-error.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import type { ExitCode } from "./terminal/exit-codes.ts";
import { styled, toJsonText, toTerminalText, withoutBreaks } from "./terminal/text.ts";
import { command } from "./terminal/shell-command.ts";

/** An error as a person and a program see it. */
type Report = {
  code: string;
  message: string;
  next: readonly string[];
  exitCode: ExitCode;
  extra: Readonly<Record<string, unknown>>;
};

const byStatus: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.notAllowed,
  403: exitCodes.notAllowed,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  412: exitCodes.conflict,
  429: exitCodes.unavailable,
};

/** The members of the client's `ApiError`, which is recognized by its name so that no error loads the client. */
type ApiErrorLike = Error & {
  code: string;
  status: number;
  requestId?: string;
  errors: readonly {
    path: string;
    message: string;
    file?: string;
    line?: number;
    column?: number;
  }[];
  missing: readonly { name: string; reason?: string; connectUrl: string }[];
  problem?: { requiredScope?: string };
};

const plain = (text: string) => text.replaceAll("`", "");

function reportApiError(error: ApiErrorLike): Report {
  const { code, status, requestId, errors, missing } = error;
  // The message of the error contains the first problem.
  const shown = plain(error.message);
  const details = errors
    .map(({ file, line, column, ...one }) => ({
      place: file === undefined ? one.path : `${file}:${line}:${column}`,
      text: one.message,
    }))
    .filter(({ place, text }) => !(shown.includes(place) && shown.includes(plain(text))))
    .map(({ place, text }) => `${place} ${text}`);
  const exitCode =
    code === "credentials_missing"
      ? exitCodes.needsApproval
      : (byStatus[status] ?? (status >= 500 ? exitCodes.unavailable : exitCodes.failed));
  return {
    code,
    // A line break in a text of the service could fake the next steps that follow it.
    message: [error.message, ...details].map(withoutBreaks).join("\n  "),
    exitCode,
    next: nextAfter(error),
    extra: {
      status,
      requestId,
      ...(errors.length === 0 ? {} : { errors }),
      ...(missing.length === 0 ? {} : { missing }),
    },
  };
}

const isKeySet = () => Boolean(process.env["TOOLHOST_API_KEY"]);

function nextAfter({ code, missing, problem }: ApiErrorLike): string[] {
  switch (code) {
    case "unauthenticated":
      return isKeySet()
        ? ["check TOOLHOST_API_KEY, or unset it, then: toolhost login"]
        : ["toolhost login"];
    case "insufficient_scope": {
      const required = problem?.requiredScope?.split(" ") ?? [];
      const scopes = new Set(["mcp:read", "mcp:execute", "tools:write", ...required]);
      const login = command`toolhost login --scope ${[...scopes].join(" ")}`;
      // The key has precedence over a sign-in.
      return isKeySet()
        ? [
            `set TOOLHOST_API_KEY to a key with the scope ${required.join(" ")}`,
            `or unset TOOLHOST_API_KEY, then: ${login}`,
          ]
        : [login];
    }
    case "credentials_missing":
      return missing.map(({ name, connectUrl }) => `${name}: open ${connectUrl}`);
    case "tool_not_found":
      return ["toolhost tools"];
    case "document_mismatch":
      return [
        "repeat with --yes to replace the document",
        "or without --update to import it separately",
      ];
    case "run_not_found":
      return ["toolhost runs"];
    default:
      return [];
  }
}

/** Describes any error. Unexpected ones show no stack unless `TOOLHOST_DEBUG` is set. */
export function describeError(error: unknown): Report {
  if (error instanceof CliError) {
    const { code, message, next, exitCode, extra } = error;
    return { code, message, next, exitCode, extra };
  }
  if (!(error instanceof Error)) return internal(String(error));
  if (error.name === "ApiError") return reportApiError(error as ApiErrorLike);
  if (error.name === "ConnectionError") {
    return {
      code: "unreachable",
      message: error.message,
      next: ["name the address of the service with --url or TOOLHOST_URL"],
      exitCode: exitCodes.unavailable,
      extra: {},
    };
  }
  if (error.name === "ToolhostError" || error.name === "TimeoutError")
    return internal(error.message);
  return internal(process.env["TOOLHOST_DEBUG"] === "1" ? String(error.stack) : error.message);
}

const internal = (message: string): Report => ({
  code: "failed",
  message,
  next: [],
  exitCode: exitCodes.failed,
  extra: {},
});

/** The text of an error for stderr: JSON if the command was called with `--json`. */
export function formatError(
  error: unknown,
  { isJson, hasColor }: { isJson: boolean; hasColor: boolean },
) {
  const { code, message, next, extra, exitCode } = describeError(error);
  if (isJson) return toJsonText({ error: { code, message, exitCode, next, ...extra } });
  const lines = [
    `${styled("red", "Error:")} ${message}`,
    ...next.map((step) => `  ${styled("cyan", "→")} ${step.replaceAll(/\s*\n\s*/g, " ")}`),
  ];
  return toTerminalText(lines.join("\n"), hasColor);
}

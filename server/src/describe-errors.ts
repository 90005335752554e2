import { errorCodes } from "@toolhost/contract";
import type { RunErrorCode } from "@toolhost/contract";
import { table } from "./markdown-table.ts";

const runErrors: Readonly<Record<RunErrorCode, string>> = {
  tool_error: "The code of the tool threw an error.",
  invalid_output: "The output does not match the output schema.",
  timeout: "The run took longer than its time limit.",
  cpu_limit: "The run used more CPU time than its limit.",
  memory_limit: "The run used more memory than its limit.",
  output_too_large: "The output is larger than its limit.",
  egress_denied: "A network request was not allowed, or exceeded a limit.",
  interrupted: "The service was stopped before the run ended.",
  sandbox_lost: "The process or the node of the run ended unexpectedly.",
};

/** The page with the reference of all error codes. */
export function describeErrors(): string {
  const codes = Object.entries(errorCodes)
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(([code, { status, meaning }]) => [
      `<a id="${code}"></a>\`${code}\``,
      `${status}`,
      meaning,
    ]);
  const runCodes = Object.entries(runErrors).map(([code, text]) => [`\`${code}\``, text]);
  return `<!-- Generated from the contract by \`npm run generate:docs\`. Do not edit. -->

# Errors

Every error response of the REST API is a problem document (RFC 9457) with the media type
\`application/problem+json\`. Programs use its \`code\`, which is stable. \`detail\` says in one sentence
what happened and what to do, \`errors\` lists each problem of a request body with its JSON pointer, and
\`requestId\` finds the request in the server's log.

## Error codes

${table(["Code", "Status", "Meaning and what to do"], codes)}
## Error codes of runs

A run that fails is no error of the API: the response has status 200 and the run has
\`"status": "failed"\` with one of these codes.

${table(["Code", "Meaning"], runCodes)}`;
}

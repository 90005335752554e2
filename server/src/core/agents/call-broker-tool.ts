import type { ErrorDetail } from "@toolhost/contract";
import type { z } from "zod";
import { requireScope } from "#core/identity";
import type { Caller } from "#core/kernel";
import type { AgentsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { isJsonObject } from "#lib/json-object";
import { toPointer } from "#lib/pointer";
import type { BrokerAnswer, BrokerHooks, BrokerTool } from "./broker-tool.ts";
import { checkRunBroker } from "./check-run.ts";
import { executeTool, executeToolBroker } from "./execute-tool.ts";
import { explainBrokerArguments, explainError } from "./explain-error.ts";
import { getSkillBroker } from "./get-skill.ts";
import { manageCredentialsBroker } from "./manage-credentials.ts";
import { parseJsonStrings } from "./parse-json-strings.ts";
import { searchToolsBroker } from "./search-tools.ts";
import { uploadBroker } from "./upload.ts";

/** The six tools that agents always see. */
export const brokerTools: readonly BrokerTool[] = [
  searchToolsBroker,
  executeToolBroker,
  getSkillBroker,
  manageCredentialsBroker,
  uploadBroker,
  checkRunBroker,
];

/** Higher than the number of errors shown. */
const maxIssues = 100;
const maxKeyLength = 100;

const byName = new Map<string, BrokerTool>(brokerTools.map((tool) => [tool.name, tool]));

/**
 * Calls a broker tool, or a hosted tool by its own name. Errors that an agent can fix are returned with instructions.
 * Throws `insufficient_scope`, `tool_not_found` for a name that is neither, and internal errors.
 */
export async function callBrokerTool(
  context: AgentsContext,
  caller: Caller,
  { name, args }: { name: string; args: unknown },
  hooks: BrokerHooks,
): Promise<BrokerAnswer> {
  const tool = byName.get(name);
  if (tool !== undefined) {
    requireScope(caller, tool.scope);
    return callKnown(context, caller, { tool, args }, hooks);
  }
  requireScope(caller, executeToolBroker.scope);
  const read = parseJsonStrings(subjectOf(context, caller), args ?? {}, { type: "object" });
  const input = (typeof read === "object" && read !== null ? read : {}) as Record<string, unknown>;
  return explained(
    () => executeTool(context, caller, { toolName: name, input }, hooks),
    ["tool_not_found"],
  );
}

/** The hosted tool that a call will run, unless its arguments are refused. Undefined for a call that runs none. */
export function expectTool({ name, args }: { name: string; args: unknown }): string | undefined {
  if (!byName.has(name)) return name;
  if (name !== executeToolBroker.name) return undefined;
  const named = resolveAliases(executeToolBroker, args);
  const toolName = isJsonObject(named) ? named["tool_name"] : undefined;
  return typeof toolName === "string" ? toolName : undefined;
}

async function callKnown(
  context: AgentsContext,
  caller: Caller,
  { tool, args }: { tool: BrokerTool; args: unknown },
  hooks: BrokerHooks,
): Promise<BrokerAnswer> {
  const named = resolveAliases(tool, args ?? {});
  const parsed = tool.parse(parseJsonStrings(subjectOf(context, caller), named, tool.inputSchema));
  if (!parsed.success) {
    return explainBrokerArguments(tool, toDetails(parsed.error));
  }
  return explained(() => tool.call(context, caller, parsed.data as never, hooks), []);
}

/**
 * Renames arguments that have the name of an alias, unless the argument is present as well, and omits nulls, which some
 * agents send for optional arguments.
 */
function resolveAliases({ aliases }: BrokerTool, given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const toName = (key: string) => {
    const name = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
    return name === undefined || Object.hasOwn(args, name) ? key : name;
  };
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [toName(key), value]));
}

/** The workspace whose CPU time is charged. */
function subjectOf({ validation }: AgentsContext, { workspaceId }: Caller) {
  return { validation, workspaceId };
}

async function explained(
  call: () => Promise<BrokerAnswer>,
  thrown: readonly string[],
): Promise<BrokerAnswer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ServiceError) || thrown.includes(error.code)) throw error;
    const answer = explainError(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

function toDetails({ issues }: z.ZodError): ErrorDetail[] {
  return issues.slice(0, maxIssues).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.slice(0, maxIssues).map((key) => ({
          path: toPointer([...issue.path, key.slice(0, maxKeyLength)]),
          message: "is not an argument of this tool",
        }))
      : [{ path: toPointer(issue.path), message: issue.message }],
  );
}

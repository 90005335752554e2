import type { JsonObject, MissingCredential, RunResult, Skill } from "@toolhost/contract";
import type { ChatFile } from "../block.ts";
import { runOnce } from "../run-once.ts";
import type { Turn } from "../turn.ts";
import { brokerTools, callBrokerTool } from "#core/agents";
import type { BrokerAnswer } from "#core/agents";
import type { ChatContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import { createSlots } from "#lib/slots";
import { checkInput } from "./check-input.ts";
import { splitAttachments } from "./attachments.ts";
import { findTool } from "./find-tool.ts";
import { isJsonObject } from "#lib/json-object";
import { messages } from "./messages.ts";
import { toolOutput } from "./prompt.ts";
import { missingOf, runWaitMs, takeAttached } from "./run-and-answer.ts";
import type { Running } from "./run-and-answer.ts";
import type { ToolRequest } from "./subject.ts";

/** Why the model stops: the person has to act, or a run takes long. */
type Pause =
  | { kind: "confirm"; tool: Skill; toolRequest: ToolRequest }
  | {
      kind: "missing";
      tool: Skill;
      toolRequest: ToolRequest;
      missing: MissingCredential[];
    }
  | { kind: "running" };

/** The results of the model's tool calls. */
export type AgentWork = {
  runs: { tool: Pick<Skill, "title" | "outputSchema">; result: RunResult }[];
  pause: Pause | undefined;
  /** An error that the model cannot handle, thrown after the model has stopped. */
  fault: unknown;
};

export type AgentTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  call(args: unknown): Promise<string>;
};

/**
 * The broker tools for a chat. Credentials and uploads go through buttons and attachments, so that no text in a
 * thread can request them.
 */
const offered = new Set([
  "service_search_tools",
  "service_get_skill",
  "service_execute_tool",
  "service_check_run",
]);
const maxCheckSeconds = 5;

/** The broker tools for one turn, as over MCP, but each run happens once per turn. */
export function createAgentTools(
  context: ChatContext,
  turn: Turn,
  request: { text: string; files: readonly ChatFile[] },
): { work: AgentWork; tools: AgentTool[] } {
  const work: AgentWork = { runs: [], pause: undefined, fault: undefined };
  // Models call tools concurrently, but a confirmation must be requested before anything else runs.
  const slots = createSlots(1);
  const call = (name: string, args: unknown) =>
    slots.use(async () => {
      if (work.pause !== undefined || work.fault !== undefined) return notNow;
      try {
        return await callTool(context, turn, { name, args, work, request });
      } catch (error) {
        if (work.pause !== undefined && error instanceof PausedError) return notNow;
        if (error instanceof ServiceError && error.code !== "unavailable") {
          return toolOutput(error.message);
        }
        work.fault = error;
        return "Internal service error.";
      }
    });
  const tools = brokerTools
    .filter(({ name }) => offered.has(name))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      call: (args: unknown) => call(name, args),
    }));
  return { work, tools };
}

const notNow = "The user has to act first. Stop here; no other tool is run now.";

/** Ends a call whose outcome the model does not decide. */
class PausedError extends Error {
  override name = "PausedError";
}

type Call = {
  name: string;
  args: unknown;
  work: AgentWork;
  request: { text: string; files: readonly ChatFile[] };
};

async function callTool(
  context: ChatContext,
  turn: Turn,
  { name, args, work, request }: Call,
): Promise<string> {
  const toolRequest = name === "service_check_run" ? limitCheck(args) : args;
  const answer = await callBrokerTool(
    context,
    turn.caller,
    { name, args: toolRequest },
    {
      signal: turn.signal,
      run: (wanted) => runForAgent(context, turn, { ...wanted, work, request }),
    },
  );
  return inWords(answer);
}

/** Only the state of a known run: no text in a thread may list or cancel a person's runs. */
function limitCheck(args: unknown): unknown {
  if (!isJsonObject(args)) return { run_id: "" };
  const { run_id: runId = "", path, offset, limit } = args;
  const seconds = Number(args["wait_seconds"] ?? maxCheckSeconds);
  const part = { path, offset, limit };
  const given = Object.entries(part).filter(([, value]) => value !== undefined);
  return {
    run_id: runId ?? "",
    wait_seconds: Math.min(seconds, maxCheckSeconds),
    ...Object.fromEntries(given),
  };
}

function inWords(answer: BrokerAnswer): string {
  return toolOutput(answer.isError ? answer.text : (answer.text ?? answer.structured));
}

type Wanted = Pick<Call, "work" | "request"> & { toolName: string; input: JsonObject };

async function runForAgent(
  context: ChatContext,
  turn: Turn,
  { toolName, input: given, work, request }: Wanted,
): Promise<RunResult> {
  const tool = await findTool(context, turn.caller, { toolName });
  const { input, attached } = splitAttachments(tool, given, request.files);
  const toolRequest: ToolRequest = {
    toolName,
    version: tool.version,
    input,
    attached,
    text: request.text,
  };
  if (tool.confirm) {
    await checkInput(context, turn, tool, toolRequest);
    work.pause = { kind: "confirm", tool, toolRequest };
    throw new PausedError();
  }
  turn.status.show(messages.working(tool.title));
  const taken = await takeAttached(context, turn, { tool, toolRequest });
  const result = await runOrPause(context, turn, {
    work,
    tool,
    toolRequest,
    input: { ...input, ...taken },
  });
  turn.status.show(messages.thinking);
  work.runs.push({ tool, result });
  if (result.status === "running") work.pause = { kind: "running" };
  return result;
}

async function runOrPause(
  context: ChatContext,
  turn: Turn,
  {
    work,
    tool,
    toolRequest,
    input,
  }: Omit<Running, "notes"> & { work: AgentWork; input: JsonObject },
): Promise<RunResult> {
  try {
    return await runOnce(context, turn, {
      toolName: toolRequest.toolName,
      input,
      waitMs: runWaitMs(context),
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "credentials_missing") throw error;
    work.pause = {
      kind: "missing",
      tool,
      toolRequest,
      missing: missingOf(error),
    };
    throw new PausedError();
  }
}

import type { MissingCredential, RunResult, Skill } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import type { ChatBlock, ChatButton } from "../block.ts";
import { runOnce } from "../run-once.ts";
import { askQuestion, notifyOnCompletion, reply } from "../turn.ts";
import type { Turn } from "../turn.ts";
import type { ChatContext } from "../context.ts";
import { feedbackBlocks } from "./feedback.ts";
import { cut } from "./json.ts";
import { showRun, showRunning } from "./run-blocks.ts";
import { sendFiles, takeFile } from "./run-files.ts";
import { takesList } from "./placeholder-file-ids.ts";
import { askToStop } from "./stop-run.ts";
import { toQuestion } from "./subject.ts";
import type { ToolRequest } from "./subject.ts";
import { messages } from "./messages.ts";

const maxWaitMs = 10_000;

/** How long a reply waits for a run; a longer run gets a message of its own. */
export function runWaitMs({ config }: Pick<ChatContext, "config">): number {
  return Math.min(maxWaitMs, config.RUN_WAIT_MS);
}

export type Running = { tool: Skill; toolRequest: ToolRequest; notes?: readonly ChatBlock[] };

/** Runs a tool and replies with the result, or with the missing input or credentials. */
export async function runAndAnswer(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, notes = [] }: Running,
): Promise<void> {
  turn.status.show(messages.working(tool.title));
  try {
    const input = {
      ...toolRequest.input,
      ...(await takeAttached(context, turn, { tool, toolRequest })),
    };
    const result = await runOnce(context, turn, {
      toolName: tool.name,
      input,
      waitMs: runWaitMs(context),
    });
    await answerRun(context, turn, { tool, result, notes });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "credentials_missing") {
      return replyMissing(context, turn, {
        tool,
        toolRequest,
        notes,
        missing: missingOf(error),
      });
    }
    if (error.code !== "invalid_input") throw error;
    await replyWrongInput(context, turn, { tool, toolRequest, notes, error });
  }
}

/** Uploads the attached files and returns their IDs for the input. */
export async function takeAttached(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest }: Pick<Running, "tool" | "toolRequest">,
): Promise<Record<string, string | string[]>> {
  const taken: Record<string, string | string[]> = {};
  for (const [name, files] of Object.entries(toolRequest.attached)) {
    const ids: string[] = [];
    for (const file of files) ids.push(await takeFile(context, turn, file));
    const [only] = ids;
    if (only !== undefined) taken[name] = takesList(tool, name) ? ids : only;
  }
  return taken;
}

/** Replies with the result of a run, or with a notification later. */
async function answerRun(
  context: ChatContext,
  turn: Turn,
  { tool, result, notes }: { tool: Skill; result: RunResult; notes: readonly ChatBlock[] },
): Promise<void> {
  const { title, outputSchema } = tool;
  const { baseUrl } = context.config;
  if (result.status === "running") {
    const stopId = await askToStop(context, turn, result.runId);
    await reply(context, turn, [...notes, ...showRunning(result, { title, baseUrl, stopId })]);
    turn.outcome = "running";
    await notifyOnCompletion(context, turn, result.runId);
    return;
  }
  turn.outcome = outcomeOf(result);
  const { blocks, files } = showRun(result, { title, outputSchema, baseUrl });
  const shown = [...notes, ...blocks, ...(await feedbackBlocks(context, turn, result))];
  await reply(context, turn, shown);
  await sendFiles(context, turn, { runId: result.runId, files, blocks: shown });
}

/** How a run ended; undefined for one that was cancelled. */
export function outcomeOf({ status }: Pick<RunResult, "status">): Turn["outcome"] {
  if (status === "completed") return "succeeded";
  return status === "cancelled" ? undefined : status;
}

/** The missing credentials of a `credentials_missing` error. */
export function missingOf({ extra }: ServiceError): MissingCredential[] {
  const missing = extra?.["missing"];
  return Array.isArray(missing) ? (missing as MissingCredential[]) : [];
}

type Lack = {
  tool: Skill;
  toolRequest: ToolRequest;
  notes: readonly ChatBlock[];
  missing: readonly MissingCredential[];
  /** Whether the user tried again before anything was added. */
  isUnchanged?: boolean;
};

/** Replies with links to add, connect or approve credentials. The tool runs automatically afterwards. */
export async function replyMissing(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, notes, missing, isUnchanged = false }: Lack,
): Promise<void> {
  const waitsForValues = missing.some(isWithoutValue);
  const subject = { ...toolRequest, waitsForValues };
  const questionId = await askQuestion(context, turn, toQuestion("again", subject));
  // One page approves a version for all credentials of an owner.
  const byUrl = new Map(missing.map((one) => [one.connectUrl, one]));
  const links = [...byUrl.values()].slice(0, 4).map(({ name, reason, connectUrl }): ChatButton => ({
    label: cut(`${messages.credentialButton[reason]} ${name}`, 70),
    style: "primary",
    url: connectUrl,
  }));
  const say = isUnchanged ? messages.stillMissing : messages.missingCredentials;
  const text = say(describeLack(tool, missing));
  await reply(context, turn, [
    ...notes,
    { kind: "text", text },
    {
      kind: "buttons",
      buttons: [...links, { label: messages.tryNow, questionId, choice: "run" }],
    },
  ]);
}

/** Whether a run still waits for what it waited for; a missing approval is new once all values are there. */
export function isStillWaiting(
  { waitsForValues = false }: Pick<ToolRequest, "waitsForValues">,
  missing: readonly MissingCredential[],
): boolean {
  return waitsForValues ? missing.some(isWithoutValue) : missing.length > 0;
}

/** Whether a credential has no value yet; any other lacks permission. */
function isWithoutValue({ reason }: Pick<MissingCredential, "reason">): boolean {
  return reason === "missing" || reason === "not_connected";
}

/** What a tool lacks. The pages of the buttons show the details. */
function describeLack(tool: Skill, missing: readonly MissingCredential[]): string {
  const named = (are: (one: MissingCredential) => boolean) =>
    missing.filter(are).map(({ name }) => name);
  const absent = missing.filter(({ reason }) => reason === "missing");
  const unconnected = named(({ reason }) => reason === "not_connected");
  const own = named(({ reason, owner }) => reason === "not_approved" && owner === "user");
  const shared = named(({ reason, owner }) => reason === "not_approved" && owner !== "user");
  const closed = named(({ reason }) => reason === "not_exposable");
  const { title } = tool;
  return [
    ...(absent.length > 0 ? [describeCredentials(tool, absent)] : []),
    ...(unconnected.length > 0 ? [messages.needsConnection(title, unconnected)] : []),
    ...(own.length > 0 ? [messages.needsApproval(title, own)] : []),
    ...(shared.length > 0 ? [messages.needsAdmin(title, shared)] : []),
    ...(closed.length > 0 ? [messages.readsValue(title, closed)] : []),
  ].join(" ");
}

/** Names the missing credentials with the descriptions of the tool's author. */
function describeCredentials(
  { title, credentials }: Skill,
  missing: readonly MissingCredential[],
): string {
  const names = missing.map(({ name }) => {
    const description = credentials.find((one) => one.name === name)?.description ?? "";
    return messages.credential(name, cut(description.replace(/\.$/, ""), 200));
  });
  return messages.needsCredentials(title, names);
}

type Wrong = {
  tool: Skill;
  toolRequest: ToolRequest;
  notes: readonly ChatBlock[];
  error: ServiceError;
};

/** Replies with the problems of an input, and a button to correct it. */
export async function replyWrongInput(
  context: ChatContext,
  turn: Turn,
  { tool, toolRequest, notes, error }: Wrong,
): Promise<void> {
  const lines = (error.errors ?? [])
    .slice(0, 10)
    .map(({ path, message }) => messages.inputProblem(path, message));
  const questionId = await askQuestion(context, turn, toQuestion("offer", toolRequest));
  await reply(context, turn, [
    ...notes,
    { kind: "text", text: cut(messages.invalidInput(tool.title, lines), 2_500) },
    {
      kind: "buttons",
      buttons: [{ label: messages.enterDetails, style: "primary", questionId, choice: "form" }],
    },
  ]);
}

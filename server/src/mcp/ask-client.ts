import { setTimeout as sleep } from "node:timers/promises";
import { answerQuestionInput } from "@toolhost/contract";
import type { JsonObject } from "@toolhost/contract";
import { callBrokerTool } from "#core/agents";
import type { BrokerAnswer } from "#core/agents";
import type { Context } from "#core/context";
import { requireScope } from "#core/identity";
import { notFound, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { answerQuestion, cancelRun, findRunTitles, getRun, longPoll } from "#core/runs";
import { cleanLine } from "#lib/clean-text";
import { isId } from "#lib/ids";
import { isJsonObject } from "#lib/json-object";
import { declaresForms } from "./declares-forms.ts";
import { objectAt } from "./message.ts";
import type { RequestId } from "./message.ts";
import type { McpRequest } from "./surface.ts";

/** A question of a run, as results of the broker tools describe it. */
type Asked = { runId: string; id: string; message: unknown; schema: unknown };

/** A run whose questions the caller may answer. */
type Asking = { runId: string; toolName: string; title: string | undefined };

const maxTitle = 100;
const idPrefix = "question";
const pollMs = 25_000;
const pauseMs = 1_000;

/**
 * Passes the question in a result on to the user of the client, if that is the user who started the run and the client can show a form. Modern clients get it as the result,
 * and repeat the call with the answer; legacy ones get a request on the call's stream. Returns the result of the call for all others,
 * and once the run no longer asks.
 */
export async function askClient(
  request: McpRequest,
  result: BrokerAnswer,
): Promise<BrokerAnswer | JsonObject> {
  const asked = questionIn(result);
  if (asked === undefined || !canShowForms(request)) return result;
  const run = await findOwnRun(request, asked.runId);
  if (run === undefined) return result;
  if (request.era === "modern") return toInputRequest(run, asked);
  return cancelWithCall(request, run, () => askOnStream(request, run, asked));
}

/** The run, if the caller may answer its questions. */
async function findOwnRun(
  { context, caller }: McpRequest,
  runId: string,
): Promise<Asking | undefined> {
  if (!caller.scopes.has("mcp:execute")) return undefined;
  const { userId, toolName, draftId } = await getRun(context, caller, runId);
  if (userId !== caller.userId) return undefined;
  const row = { id: runId, tool_id: "", tool_name: toolName, draft_id: draftId };
  const title = (await findRunTitles(context.db, caller, [row])).get(runId);
  return { runId, toolName, title };
}

function questionIn(result: BrokerAnswer): Asked | undefined {
  if (result.isError) return undefined;
  const { runId } = result.structured;
  const { id, message, schema } = objectAt(result.structured, "question");
  if (typeof runId !== "string" || typeof id !== "string") return undefined;
  return { runId, id, message, schema };
}

function canShowForms({ era, capabilities, client, peer }: McpRequest): boolean {
  if (era === "modern") return declaresForms(capabilities);
  return client?.canShowForms === true && peer.send !== undefined;
}

/** Clients show that this service asks, so the message says that the tool does. Its text is untrusted. */
function toElicitation({ toolName, title }: Asking, { message, schema }: Asked): JsonObject {
  const shown = cleanLine(title ?? "", maxTitle).replaceAll('"', "'");
  const tool = shown === "" ? toolName : `"${shown}" (${toolName})`;
  const question = `The tool ${tool} asks: ${String(message)}`;
  return { mode: "form", message: question, requestedSchema: schema } as JsonObject;
}

/** The state names the run. It grants nothing: only the user who started the run can answer. */
function toInputRequest(run: Asking, asked: Asked): JsonObject {
  const question = { method: "elicitation/create", params: toElicitation(run, asked) };
  return {
    resultType: "input_required",
    inputRequests: { [asked.id]: question },
    requestState: asked.runId,
  };
}

/** The answers in a repeated call of a modern client, and the run that asked; undefined for any other call. */
export function answersIn({ era, params }: McpRequest) {
  const { requestState: runId, inputResponses } = params;
  if (era !== "modern" || typeof runId !== "string" || !isId(runId)) return undefined;
  return isJsonObject(inputResponses) ? { runId, inputResponses } : undefined;
}

/**
 * Answers the question of a run for a repeated call, and returns the state of the run after a wait. Throws `insufficient_scope`,
 * and `run_not_found` for another user's run.
 */
export async function resumeCall(
  request: McpRequest,
  { runId, inputResponses }: NonNullable<ReturnType<typeof answersIn>>,
): Promise<BrokerAnswer> {
  const { context, caller } = request;
  requireScope(caller, "mcp:execute");
  const { userId, toolName, question } = await getRun(context, caller, runId);
  if (userId !== caller.userId) throw notFound("run_not_found", "run", { id: runId });
  // A run asks one question at a time, and a client may send any number of responses.
  if (question !== undefined && Object.hasOwn(inputResponses, question.id)) {
    const response = inputResponses[question.id];
    await tryAnswer(context, caller, { runId, questionId: question.id, response });
  }
  const seconds = Math.round(context.config.RUN_WAIT_MS / 1_000);
  return cancelWithCall(request, { runId, toolName }, () => checkRun(request, runId, seconds));
}

/**
 * Cancels the caller's own run when the client cancels the call that started it, or the repetition of that call: no one will read
 * its result. A call that only looks at the run cancels nothing.
 */
async function cancelWithCall<T>(
  { context, caller, signal, params: { name } }: McpRequest,
  { runId, toolName }: { runId: string; toolName: string },
  work: () => Promise<T>,
): Promise<T> {
  if (name !== "service_execute_tool" && name !== toolName) return work();
  const cancel = () => {
    cancelRun(context, caller, runId).catch((error: unknown) => {
      // The run may have ended just before.
      context.log.debug({ err: error, runId }, "could not cancel the run of a cancelled call");
    });
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

type Response = { runId: string; questionId: string; response: unknown };

/** An answer that is invalid or late changes nothing: the run shows whether it still asks. */
async function tryAnswer(
  context: Context,
  caller: Caller,
  { runId, questionId, response }: Response,
): Promise<void> {
  requireScope(caller, "mcp:execute");
  const { action, content } = isJsonObject(response) ? response : {};
  const answer = answerQuestionInput.safeParse({
    questionId,
    action,
    content: content ?? undefined,
  });
  if (!answer.success) return;
  try {
    await answerQuestion(context, caller, runId, answer.data);
  } catch (error) {
    const isExpected = error instanceof ServiceError && expected.has(error.code);
    if (!isExpected) throw error;
  }
}

const expected: ReadonlySet<string> = new Set(["question_closed", "invalid_input"]);

function checkRun(
  { context, caller, signal }: McpRequest,
  runId: string,
  seconds: number,
): Promise<BrokerAnswer> {
  const args = { run_id: runId, wait_seconds: Math.min(seconds, 40) };
  return callBrokerTool(context, caller, { name: "service_check_run", args }, { signal });
}

/**
 * Sends each question of a run to a legacy client, and waits until the run no longer asks. The ID of the request names the question,
 * so that any node can handle the response.
 */
async function askOnStream(request: McpRequest, run: Asking, first: Asked): Promise<BrokerAnswer> {
  const { context, caller, peer, signal } = request;
  const { runId } = first;
  for (let asked: Asked | undefined = first; asked !== undefined;) {
    const id = `${idPrefix} ${runId} ${asked.id}`;
    const params = toElicitation(run, asked);
    peer.send?.({ jsonrpc: "2.0", id, method: "elicitation/create", params });
    asked = await nextQuestion(context, caller, asked, signal);
  }
  return checkRun(request, runId, 0);
}

async function nextQuestion(
  context: Context,
  caller: Caller,
  { runId, id }: Asked,
  signal: AbortSignal,
): Promise<Asked | undefined> {
  for (;;) {
    const startedAt = performance.now();
    const wait = { waitMs: pollMs, signal, seenQuestionId: id };
    const { status, question } = await longPoll(context, caller, runId, wait);
    if (status !== "running" || question === undefined) return undefined;
    if (question.id !== id) return { runId, ...question };
    if (signal.aborted || context.cluster.isStopping) return undefined;
    // Too many requests of the caller wait, so this one did not.
    if (performance.now() - startedAt < pauseMs) await sleep(pauseMs);
  }
}

/** Handles the response of a legacy client to a question, and returns whether it is one. */
export async function receiveAnswer(
  context: Context,
  caller: Caller,
  { id, result }: { id: RequestId; result: JsonObject | undefined },
): Promise<boolean> {
  const [prefix, runId, questionId, ...rest] = String(id).split(" ");
  if (prefix !== idPrefix || runId === undefined || questionId === undefined) return false;
  if (rest.length > 0) return false;
  // A client that responds with an error has shown nothing.
  const response = result ?? { action: "cancel" };
  await tryAnswer(context, caller, { runId, questionId, response });
  return true;
}

import { isUnknownTool, requestCheck } from "./check-request.ts";
import { credentialMark, fillUrl } from "./credential-mark.ts";
import { answerInputs, askUser } from "./elicit.ts";
import { headerValueOf, HttpError, McpClient } from "./mcp-client.ts";
import type { Session } from "./mcp-client.ts";
import { isObject, ProtocolError, RpcError, ToolError } from "./messages.ts";
import type { JsonObject } from "./messages.ts";
import { awaitResult, taskRequest } from "./task.ts";

/** The tool of a server, as it was imported. */
export type ToolSettings = {
  tool: string;
  url: string;
  transport: "http" | "sse";
  protocolVersion: string;
  headers: Readonly<Record<string, string>>;
  /** Credentials that are sent in a header, after a prefix. */
  credentials: readonly { name: string; header: string; prefix: string }[];
  /** Arguments that the server wants to see in a header as well, with their paths. */
  parameterHeaders: readonly { header: string; path: readonly string[] }[];
  /** Whether the server runs the tool as a task only. */
  isTask: boolean;
};

/** The part of a tool's context that is used. */
export type RunContext = {
  runId: string;
  credentials: Readonly<Record<string, string>>;
  progress(fraction: number, message?: string): void;
  ask(question: { message: string; schema: unknown }): Promise<JsonObject>;
  files: {
    save(file: { name: string; mimeType: string; body: Uint8Array | string }): Promise<unknown>;
  };
};

/** An upstream session outlives a run if the next run of the same user gets the same isolate. */
let session: Session | undefined;

/** Calls the tool, and returns its result as the output of the run. */
export async function callTool(
  settings: ToolSettings,
  input: JsonObject,
  ctx: RunContext,
): Promise<JsonObject> {
  const client = new McpClient({
    ...settings,
    ...accessOf(settings, ctx),
    fetch: (url, init) => fetch(url, init),
    elicit: (params) => askUser(params, settings, ctx),
    session: settings.transport === "http" ? session : undefined,
  });
  const state = { isCalled: false };
  let isGone = false;
  try {
    return await toOutput(await requestResult(client, settings, { input, ctx, state }), ctx);
  } catch (error) {
    const explained = explain(error, settings, state.isCalled);
    isGone = isUnknownTool(explained);
    throw explained;
  } finally {
    session = client.session;
    if (settings.transport === "sse") await client.close();
    if (isGone || client.hasListChanged) await requestCheck();
  }
}

/** Where to send requests, with the credentials. */
function accessOf({ url, headers, credentials }: ToolSettings, ctx: RunContext) {
  const all = { ...headers };
  if (url.includes(credentialMark)) {
    const [first] = credentials;
    return { url: fillUrl(url, ctx.credentials[first?.name ?? ""] ?? ""), headers: all };
  }
  for (const { name, header, prefix } of credentials) {
    all[header] = `${prefix}${ctx.credentials[name] ?? ""}`;
  }
  return { url, headers: all };
}

/** How often a call is repeated with answers to questions. */
const maxRounds = 20;

type Call = { input: JsonObject; ctx: RunContext; state: { isCalled: boolean } };

async function requestResult(
  client: McpClient,
  settings: ToolSettings,
  { input, ctx, state }: Call,
): Promise<JsonObject> {
  const id = ctx.runId;
  const isReused = client.session !== undefined;
  if (!client.isModern && !isReused) await client.initialize();
  const headers = client.isModern
    ? parameterHeaders(settings, input)
    : { "x-toolhost-last-message": cancellationOf(id) };
  const onProgress = (progress: JsonObject) => report(progress, ctx);
  const call = async (requestId: string, answers: JsonObject = {}) => {
    state.isCalled = true;
    const meta = { _meta: { progressToken: requestId } };
    const named = { name: settings.tool, arguments: input, ...answers, ...meta };
    const params = settings.isTask ? { ...named, ...taskRequest } : named;
    const answer = await client.request("tools/call", params, {
      id: requestId,
      headers,
      onProgress,
    });
    return awaitResult(client, answer, { id: requestId, onProgress });
  };
  try {
    let result = await call(id);
    for (
      let round = 1;
      round <= maxRounds && result["resultType"] === "input_required";
      round += 1
    ) {
      result = await call(`${id}-${round}`, await answerInputs(result, settings, ctx));
    }
    return result;
  } catch (error) {
    if (!isReused || !isSessionUnknown(error, id)) throw error;
    state.isCalled = false;
    await client.initialize();
    return call(id);
  }
}

/**
 * Whether the server no longer knows the session, so that it has not looked at the call. Any other call is never repeated:
 * an error that names the request proves that the server has read it.
 */
function isSessionUnknown(error: unknown, id: string): boolean {
  if (!(error instanceof HttpError)) return false;
  const { response, rpcError } = error;
  return response.status === 404 || (response.status === 400 && rpcError?.id !== id);
}

/** What the service sends to the server if the run is cancelled or reaches a limit during the call. */
function cancellationOf(requestId: string): string {
  const params = { requestId, reason: "The run has ended" };
  return JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params });
}

function parameterHeaders({ parameterHeaders: declared }: ToolSettings, input: JsonObject) {
  const headers: Record<string, string> = {};
  for (const { header, path } of declared) {
    let value: unknown = input;
    for (const name of path) value = isObject(value) ? value[name] : undefined;
    const isPlain = ["string", "number", "boolean"].includes(typeof value);
    if (isPlain) headers[`mcp-param-${header}`] = headerValueOf(String(value));
  }
  return headers;
}

/** Servers may count in any unit, and may not know the total. */
function report({ progress, total, message }: JsonObject, ctx: RunContext): void {
  if (typeof progress !== "number" || !(progress >= 0)) return;
  const isKnown = typeof total === "number" && total > 0;
  const fraction = isKnown ? progress / total : progress / (progress + 10);
  const text = typeof message === "string" ? message.slice(0, 500) : undefined;
  if (Number.isFinite(fraction)) ctx.progress(Math.min(1, fraction), text);
}

const maxInlineCharacters = 100_000;
const maxFiles = 50;

type Output = { text: string[]; files: unknown[]; resources: JsonObject[]; links: JsonObject[] };

async function toOutput(result: JsonObject, ctx: RunContext): Promise<JsonObject> {
  const { content, structuredContent, isError, resultType } = result;
  if (resultType !== undefined && resultType !== "complete") {
    throw new ToolError(
      resultType === "input_required"
        ? "The server asks too many questions."
        : "The server answered with a result of an unknown kind.",
    );
  }
  const output: Output = { text: [], files: [], resources: [], links: [] };
  for (const part of Array.isArray(content) ? content : []) {
    if (isObject(part)) await addPart(output, part, ctx);
  }
  const text = output.text.join("\n");
  if (isError === true) throw new ToolError(text || "The tool failed without a message.");
  const { files, resources, links } = output;
  const isRepeated = isObject(structuredContent) && isSame(text, structuredContent);
  return {
    ...(text !== "" && !isRepeated && { text }),
    ...(isObject(structuredContent) && { structuredContent }),
    ...(files.length > 0 && { files }),
    ...(resources.length > 0 && { resources }),
    ...(links.length > 0 && { links }),
  };
}

/** Servers repeat structured content, or its only text, for clients that do not know it. */
function isSame(text: string, value: JsonObject): boolean {
  const [only, ...others] = Object.values(value);
  if (others.length === 0 && only === text) return true;
  if (!text.startsWith("{")) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

async function addPart(output: Output, part: JsonObject, ctx: RunContext): Promise<void> {
  const { type, text, data, mimeType, resource } = part;
  if (type === "text" && typeof text === "string") output.text.push(text);
  else if ((type === "image" || type === "audio") && typeof data === "string") {
    const name = `${type}-${output.files.length + 1}`;
    await save(output, { name, mimeType, body: Buffer.from(data, "base64") }, ctx);
  } else if (type === "resource_link") output.links.push(shown(part));
  else if (type === "resource" && isObject(resource)) await addResource(output, resource, ctx);
}

async function addResource(output: Output, resource: JsonObject, ctx: RunContext): Promise<void> {
  const { uri, mimeType, text, blob } = resource;
  if (typeof text === "string" && text.length <= maxInlineCharacters) {
    output.resources.push({ ...shown(resource), text });
    return;
  }
  const body =
    typeof text === "string" ? text : Buffer.from(typeof blob === "string" ? blob : "", "base64");
  const name = /([\w.-]{1,100})$/.exec(String(uri))?.[1] ?? `resource-${output.files.length + 1}`;
  await save(output, { name, mimeType, body }, ctx);
}

function shown({ uri, name, title, description, mimeType }: JsonObject): JsonObject {
  return { uri, name, title, description, mimeType };
}

type FileToSave = { name: string; mimeType: unknown; body: Uint8Array | string };

/** Saves a file. The server has executed the call, so a file that cannot be saved must not hide the rest. */
async function save(output: Output, file: FileToSave, ctx: RunContext): Promise<void> {
  const isType = typeof file.mimeType === "string" && /^\w+\/[\w.+-]+$/.test(file.mimeType);
  const mimeType = isType ? String(file.mimeType) : "application/octet-stream";
  const [, extension = "bin"] = /\/(?:x-)?([a-z0-9]+)(?:\+|$)/.exec(mimeType) ?? [];
  const name = file.name.includes(".") ? file.name : `${file.name}.${extension}`;
  try {
    if (output.files.length >= maxFiles) throw new Error(`the limit is ${maxFiles} files`);
    output.files.push(await ctx.files.save({ name, mimeType, body: file.body }));
  } catch (error) {
    output.text.push(`[${name} was not saved: ${error instanceof Error ? error.message : ""}]`);
  }
}

/** Errors of the egress gate are passed on as they are, so that the run ends as denied. */
function explain(error: unknown, settings: ToolSettings, isCalled: boolean): unknown {
  if (error instanceof ToolError || !(error instanceof Error)) return error;
  if ("code" in error && error.code === "egress_denied") return error;
  if (error instanceof HttpError) return new ToolError(explainStatus(error, settings));
  if (error instanceof RpcError) return new ToolError(explainRpcError(error));
  if (!(error instanceof ProtocolError || error instanceof TypeError)) return error;
  // The egress gate sets this code if nothing of the request was sent.
  const isUnreachable = "code" in error && error.code === "host_unreachable";
  const problem = isUnreachable
    ? error.message.replace(/^fetch failed/, "The MCP server cannot be reached")
    : error.message;
  const advice =
    isCalled && !isUnreachable
      ? "Whether the tool was executed is unknown, so check before you run it again."
      : "The tool was not executed.";
  return new ToolError(`${problem}. ${advice}`, error);
}

function explainStatus({ response: { status }, rpcError }: HttpError, settings: ToolSettings) {
  const names = settings.credentials.map(({ name }) => name).join(", ");
  if (status === 401) {
    return names === ""
      ? "The MCP server requires a credential (status 401). Import it again with one."
      : `The MCP server does not accept the credential ${names} (status 401). Connect it again.`;
  }
  if (status === 403)
    return `The MCP server denies access${names && ` with ${names}`} (status 403).`;
  if (status >= 300 && status < 400) {
    return `The MCP server redirects to another address (status ${status}). Check its import.`;
  }
  if (rpcError !== undefined) return explainRpcError(rpcError);
  return `The MCP server responded with status ${status}.`;
}

function explainRpcError({ code, message, data }: RpcError): string {
  const [first] = isObject(data) && Array.isArray(data["elicitations"]) ? data["elicitations"] : [];
  const url: unknown = isObject(first) ? first["url"] : undefined;
  const hint = typeof url === "string" ? ` It asks to open ${url.slice(0, 2_000)}` : "";
  // The relay of bridges answers with a whole sentence of its own.
  if (isObject(data) && data["source"] === "toolhost") return message;
  if (code === -32022) return "The MCP server no longer speaks this revision. Update its import.";
  return `The MCP server answered with error ${code}: ${message}${hint}`;
}

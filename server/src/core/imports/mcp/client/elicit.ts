import { isObject, ToolError } from "./messages.ts";
import type { JsonObject } from "./messages.ts";

/** The part of a tool's context that asks its user. */
type Asking = {
  ask(question: { message: string; schema: unknown }): Promise<JsonObject>;
};

/** Passes on the arguments of calls only, so that answers do not reach its server. */
const bridgeHost = "bridge.internal";
const maxQuestionCharacters = 1_800;

/**
 * Asks the user what a server wants to know. The text is the server's, so it follows the server's host. Declines what is no form:
 * opening a URL, which this client does not declare, and schemas beyond the flat form of the specification.
 */
export async function askUser(
  { mode, message, requestedSchema }: JsonObject,
  { url }: { url: string },
  ctx: Asking,
): Promise<JsonObject> {
  const { host } = new URL(url);
  try {
    if (mode !== undefined && mode !== "form") throw new Error("it is no form");
    const text = typeof message === "string" ? message.slice(0, maxQuestionCharacters) : "";
    const question = `The MCP server ${host} asks: ${text}`;
    return await ctx.ask({ message: question, schema: requestedSchema });
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    // oxlint-disable-next-line no-console -- The tool's console is the log of the run.
    console.warn(`Declined a question of the MCP server ${host}: ${reason}`);
    return { action: "decline" };
  }
}

/** Answers the questions in a result of the revision 2026-07-28, for the repeated call. */
export async function answerInputs(
  { inputRequests, requestState }: JsonObject,
  settings: { url: string },
  ctx: Asking,
): Promise<JsonObject> {
  const requests = Object.entries(isObject(inputRequests) ? inputRequests : {});
  if (requests.length === 0 && requestState === undefined) {
    throw new ToolError("The server requests input, but does not say which.");
  }
  if (new URL(settings.url).host === bridgeHost) {
    throw new ToolError("The MCP server asks a question, which a bridge does not support.");
  }
  const inputResponses: JsonObject = {};
  for (const [key, request] of requests) {
    const { method, params } = isObject(request) ? request : {};
    if (method !== "elicitation/create") {
      throw new ToolError(
        "The server requests something else than an answer, which is not supported.",
      );
    }
    inputResponses[key] = await askUser(isObject(params) ? params : {}, settings, ctx);
  }
  return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}

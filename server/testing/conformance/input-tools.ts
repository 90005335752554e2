import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { objectAt } from "../../src/mcp/message.ts";
import type { McpRequest, Method } from "../../src/mcp/surface.ts";
import { form, nameForm, roots, sampling, text, textAt } from "./content.ts";
import { sealState, openState } from "./request-state.ts";

/** A result that requests input, with state that the client sends back. */
export function inputRequired(inputRequests: JsonObject, state?: JsonObject): JsonObject {
  const carriedState = state === undefined ? {} : { requestState: sealState(state) };
  return { resultType: "input_required", inputRequests, ...carriedState };
}

export function responsesOf({ params }: McpRequest): JsonObject {
  return objectAt(params, "inputResponses");
}

function nameIn(responses: JsonObject): string | undefined {
  const { name } = objectAt(objectAt(responses, "user_name"), "content");
  return typeof name === "string" ? name : undefined;
}

function readState({ params }: McpRequest): JsonObject | undefined {
  const sealed = params["requestState"];
  return sealed === undefined ? undefined : openState(sealed);
}

const confirm = form("Please confirm", { ok: { type: "boolean" } }, ["ok"]);
const greeting = sampling("Generate a greeting", 50);
const color = form("Step 2: What is your favorite color?", { color: { type: "string" } }, [
  "color",
]);
const stepName = form("Step 1: What is your name?", { name: { type: "string" } }, ["name"]);

/** The tools that request input from the client before their result. */
export const inputTools: Readonly<Record<string, Method>> = {
  test_streaming_elicitation: () => inputRequired({ user_name: nameForm }),
  test_input_required_result_elicitation: (request) => {
    const name = nameIn(responsesOf(request));
    return name === undefined ? inputRequired({ user_name: nameForm }) : text(`Hello, ${name}!`);
  },
  test_input_required_result_sampling: (request) => {
    const { capital_question: response } = responsesOf(request);
    if (!isJsonObject(response)) {
      return inputRequired({ capital_question: sampling("What is the capital of France?", 100) });
    }
    const reply = objectAt(response, "content")["text"];
    return text(typeof reply === "string" ? reply : "ok");
  },
  test_input_required_result_list_roots: (request) => {
    const { roots: listed } = objectAt(responsesOf(request), "client_roots");
    if (!Array.isArray(listed)) return inputRequired({ client_roots: roots });
    const uris = listed.map((root) => (isJsonObject(root) ? textAt(root, "uri") : ""));
    return text(`Roots: ${uris.join(", ")}`);
  },
  test_input_required_result_request_state: (request) => {
    const isConfirmed = readState(request) !== undefined && "confirm" in responsesOf(request);
    return isConfirmed ? text("state-ok") : inputRequired({ confirm }, { s: 1 });
  },
  test_input_required_result_multiple_inputs: (request) => {
    readState(request);
    const requests = { user_name: nameForm, greeting, client_roots: roots };
    const responses = responsesOf(request);
    const isAll = Object.keys(requests).every((name) => name in responses);
    return isAll ? text("all inputs received") : inputRequired(requests, { s: 1 });
  },
  test_input_required_result_multi_round: (request) => {
    const step = readState(request)?.["step"];
    const responses = responsesOf(request);
    if (step === 2 && "step2" in responses) return text("multi-round complete");
    if (step === 1 && "step1" in responses) return inputRequired({ step2: color }, { step: 2 });
    return inputRequired({ step1: stepName }, { step: 1 });
  },
  test_input_required_result_tampered_state: (request) =>
    readState(request) === undefined ? inputRequired({ confirm }, { s: 1 }) : text("ok"),
  test_input_required_result_capabilities: ({ capabilities }) =>
    inputRequired(
      {
        ...("elicitation" in capabilities ? { user_name: nameForm } : {}),
        ...("sampling" in capabilities ? { greeting: sampling("hi", 50) } : {}),
      },
      { s: 1 },
    ),
};

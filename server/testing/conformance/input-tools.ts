import type { JsonObject } from "@toolhost/contract";
import { isJsonObject } from "#lib/json-object";
import { objectAt } from "../../src/mcp/message.ts";
import type { McpRequest, Method } from "../../src/mcp/surface.ts";
import { form, nameForm, roots, sampling, text, textAt } from "./content.ts";
import { closeState, openState } from "./request-state.ts";

/** Asks for input before the result, with state to come back. */
export function need(inputRequests: JsonObject, state?: JsonObject): JsonObject {
  const carried = state === undefined ? {} : { requestState: closeState(state) };
  return { resultType: "input_required", inputRequests, ...carried };
}

export function responsesOf({ params }: McpRequest): JsonObject {
  return objectAt(params, "inputResponses");
}

function nameIn(responses: JsonObject): string | undefined {
  const { name } = objectAt(objectAt(responses, "user_name"), "content");
  return typeof name === "string" ? name : undefined;
}

function checkState({ params }: McpRequest): JsonObject | undefined {
  const given = params["requestState"];
  return given === undefined ? undefined : openState(given);
}

const confirm = form("Please confirm", { ok: { type: "boolean" } }, ["ok"]);
const greeting = sampling("Generate a greeting", 50);
const color = form("Step 2: What is your favorite color?", { color: { type: "string" } }, [
  "color",
]);
const stepName = form("Step 1: What is your name?", { name: { type: "string" } }, ["name"]);

/** The tools that need input of the client's before they answer. */
export const inputTools: Readonly<Record<string, Method>> = {
  test_streaming_elicitation: () => need({ user_name: nameForm }),
  test_input_required_result_elicitation: (request) => {
    const name = nameIn(responsesOf(request));
    return name === undefined ? need({ user_name: nameForm }) : text(`Hello, ${name}!`);
  },
  test_input_required_result_sampling: (request) => {
    const { capital_question: answer } = responsesOf(request);
    if (!isJsonObject(answer)) {
      return need({ capital_question: sampling("What is the capital of France?", 100) });
    }
    const said = objectAt(answer, "content")["text"];
    return text(typeof said === "string" ? said : "ok");
  },
  test_input_required_result_list_roots: (request) => {
    const { roots: listed } = objectAt(responsesOf(request), "client_roots");
    if (!Array.isArray(listed)) return need({ client_roots: roots });
    const uris = listed.map((root) => (isJsonObject(root) ? textAt(root, "uri") : ""));
    return text(`Roots: ${uris.join(", ")}`);
  },
  test_input_required_result_request_state: (request) => {
    const isConfirmed = checkState(request) !== undefined && "confirm" in responsesOf(request);
    return isConfirmed ? text("state-ok") : need({ confirm }, { s: 1 });
  },
  test_input_required_result_multiple_inputs: (request) => {
    checkState(request);
    const wanted = { user_name: nameForm, greeting, client_roots: roots };
    const responses = responsesOf(request);
    const isAll = Object.keys(wanted).every((name) => name in responses);
    return isAll ? text("all inputs received") : need(wanted, { s: 1 });
  },
  test_input_required_result_multi_round: (request) => {
    const step = checkState(request)?.["step"];
    const responses = responsesOf(request);
    if (step === 2 && "step2" in responses) return text("multi-round complete");
    if (step === 1 && "step1" in responses) return need({ step2: color }, { step: 2 });
    return need({ step1: stepName }, { step: 1 });
  },
  test_input_required_result_tampered_state: (request) =>
    checkState(request) === undefined ? need({ confirm }, { s: 1 }) : text("ok"),
  test_input_required_result_capabilities: ({ capabilities }) =>
    need(
      {
        ...("elicitation" in capabilities ? { user_name: nameForm } : {}),
        ...("sampling" in capabilities ? { greeting: sampling("hi", 50) } : {}),
      },
      { s: 1 },
    ),
};

import type { JsonObject } from "@toolhost/contract";
import { objectAt } from "../../src/mcp/message.ts";
import { rpcCodes, RpcError } from "../../src/mcp/rpc-error.ts";
import type { McpRequest } from "../../src/mcp/surface.ts";
import { form, png, textAt } from "./content.ts";
import { inputRequired, responsesOf } from "./input-tools.ts";

type Prompt = { argumentNames: readonly string[]; get: (request: McpRequest) => JsonObject };

const toMessages = (...contents: JsonObject[]): JsonObject => ({
  messages: contents.map((content) => ({ role: "user", content })),
});
const textContent = (text: string): JsonObject => ({ type: "text", text });
const argument = ({ params }: McpRequest, name: string) =>
  textAt(objectAt(params, "arguments"), name);

const prompts: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: {
    argumentNames: [],
    get: () => toMessages(textContent("This is a simple prompt for testing.")),
  },
  test_prompt_with_arguments: {
    argumentNames: ["arg1", "arg2"],
    get: (request) => {
      const [first, second] = [argument(request, "arg1"), argument(request, "arg2")];
      return toMessages(textContent(`Prompt with arguments: arg1='${first}', arg2='${second}'`));
    },
  },
  test_prompt_with_embedded_resource: {
    argumentNames: ["resourceUri"],
    get: (request) => {
      const uri = argument(request, "resourceUri");
      const resource = {
        uri,
        mimeType: "text/plain",
        text: "Embedded resource content for testing.",
      };
      return toMessages(
        { type: "resource", resource },
        textContent("Please process the embedded resource above."),
      );
    },
  },
  test_prompt_with_image: {
    argumentNames: [],
    get: () =>
      toMessages(
        { type: "image", data: png, mimeType: "image/png" },
        textContent("Please analyze the image above."),
      ),
  },
  test_input_required_result_prompt: {
    argumentNames: [],
    get: (request) => {
      const question = "What context should the prompt use?";
      const contextForm = form(question, { context: { type: "string" } }, ["context"]);
      return "user_context" in responsesOf(request)
        ? toMessages(textContent("ctx"))
        : inputRequired({ user_context: contextForm });
    },
  },
};

const cached = { ttlMs: 60_000, cacheScope: "public" };

/** `prompts/list` */
export function listPrompts(): JsonObject {
  const listed = Object.entries(prompts).map(([name, { argumentNames }]) => ({
    name,
    description: name,
    arguments: argumentNames.map((argumentName) => ({ name: argumentName, required: true })),
  }));
  return { prompts: listed, ...cached };
}

/** `prompts/get` */
export function getPrompt(request: McpRequest): JsonObject {
  const { name } = request.params;
  const prompt =
    typeof name === "string" && Object.hasOwn(prompts, name) ? prompts[name] : undefined;
  if (prompt === undefined) throw new RpcError(rpcCodes.invalidParams, "Unknown prompt");
  return prompt.get(request);
}

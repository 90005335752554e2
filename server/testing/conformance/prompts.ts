import type { JsonObject } from "@toolhost/contract";
import { objectAt } from "../../src/mcp/message.ts";
import { rpcCodes, RpcError } from "../../src/mcp/rpc-error.ts";
import type { McpRequest } from "../../src/mcp/surface.ts";
import { form, png, textAt } from "./content.ts";
import { need, responsesOf } from "./input-tools.ts";

type Prompt = { takes: readonly string[]; get: (request: McpRequest) => JsonObject };

const say = (...contents: JsonObject[]): JsonObject => ({
  messages: contents.map((content) => ({ role: "user", content })),
});
const words = (text: string): JsonObject => ({ type: "text", text });
const argument = ({ params }: McpRequest, name: string) =>
  textAt(objectAt(params, "arguments"), name);

const prompts: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: {
    takes: [],
    get: () => say(words("This is a simple prompt for testing.")),
  },
  test_prompt_with_arguments: {
    takes: ["arg1", "arg2"],
    get: (request) => {
      const [first, second] = [argument(request, "arg1"), argument(request, "arg2")];
      return say(words(`Prompt with arguments: arg1='${first}', arg2='${second}'`));
    },
  },
  test_prompt_with_embedded_resource: {
    takes: ["resourceUri"],
    get: (request) => {
      const uri = argument(request, "resourceUri");
      const resource = {
        uri,
        mimeType: "text/plain",
        text: "Embedded resource content for testing.",
      };
      return say(
        { type: "resource", resource },
        words("Please process the embedded resource above."),
      );
    },
  },
  test_prompt_with_image: {
    takes: [],
    get: () =>
      say(
        { type: "image", data: png, mimeType: "image/png" },
        words("Please analyze the image above."),
      ),
  },
  test_input_required_result_prompt: {
    takes: [],
    get: (request) => {
      const question = "What context should the prompt use?";
      const asked = form(question, { context: { type: "string" } }, ["context"]);
      return "user_context" in responsesOf(request)
        ? say(words("ctx"))
        : need({ user_context: asked });
    },
  },
};

const cached = { ttlMs: 60_000, cacheScope: "public" };

/** `prompts/list` */
export function listPrompts(): JsonObject {
  const listed = Object.entries(prompts).map(([name, { takes }]) => ({
    name,
    description: name,
    arguments: takes.map((argumentName) => ({ name: argumentName, required: true })),
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

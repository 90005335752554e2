import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@toolhost/contract";
import { objectAt } from "../../src/mcp/message.ts";
import { rpcCodes, RpcError } from "../../src/mcp/rpc-error.ts";
import type { McpRequest, Method } from "../../src/mcp/surface.ts";
import { form, png, sampling, text, textAt, wav } from "./content.ts";
import { defaultsForm, enumsForm } from "./forms.ts";
import { inputTools } from "./input-tools.ts";

const embedded = (uri: string, mimeType: string, content: string): JsonObject => ({
  type: "resource",
  resource: { uri, mimeType, text: content },
});

function log({ era, logLevel, peer }: McpRequest, data: string): void {
  if (era === "legacy" || logLevel !== undefined) {
    peer.notify("notifications/message", { level: "info", data });
  }
}

/** Sends a form and returns the response in the format that the suite parses. */
async function elicit(request: McpRequest, elicitation: { method: string; params: JsonObject }) {
  const response = await request.peer.request(elicitation.method, elicitation.params);
  const { content = {} } = response;
  return text(
    `Elicitation completed: action=${textAt(response, "action")}, content=${JSON.stringify(content)}`,
  );
}

function argument({ params }: McpRequest, name: string): string {
  return textAt(objectAt(params, "arguments"), name);
}

/** The tools that the suite calls, by name. */
export const fixtureTools: Readonly<Record<string, Method>> = {
  test_simple_text: () => text("This is a simple text response for testing."),
  test_image_content: () => ({ content: [{ type: "image", data: png, mimeType: "image/png" }] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [
      embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: png, mimeType: "image/png" },
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  }),
  test_tool_with_progress: async ({ params, peer }) => {
    const { progressToken } = objectAt(params, "_meta");
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        peer.notify("notifications/progress", { progressToken, progress, total: 100 });
      }
      await sleep(50);
    }
    return text("done");
  },
  test_tool_with_logging: async (request) => {
    for (const step of ["started", "processing data", "completed"]) {
      log(request, `Tool execution ${step}`);
      await sleep(40);
    }
    return text("ok");
  },
  test_logging_tool: (request) => {
    log(request, "x");
    return text("ok");
  },
  test_sampling: async (request) => {
    const { method, params } = sampling(argument(request, "prompt"), 100);
    const response = await request.peer.request(method, params);
    return text(`LLM response: ${textAt(objectAt(response, "content"), "text")}`);
  },
  test_elicitation: async (request) => {
    const fields = { username: { type: "string" }, email: { type: "string" } };
    const { method, params } = form(argument(request, "message"), fields, ["username", "email"]);
    return text(`User response: ${JSON.stringify(await request.peer.request(method, params))}`);
  },
  test_elicitation_sep1034_defaults: (request) => elicit(request, defaultsForm),
  test_elicitation_sep1330_enums: (request) => elicit(request, enumsForm),
  test_missing_capability: ({ capabilities }) => {
    if (capabilities["sampling"] !== undefined) return text("ok");
    throw new RpcError(rpcCodes.missingCapability, "The client does not support sampling", {
      data: { requiredCapabilities: { sampling: {} } },
      httpStatus: 400,
    });
  },
  json_schema_2020_12_tool: () => text("ok"),
  test_x_mcp_header: (request) => text(`region ${argument(request, "region")}`),
  ...inputTools,
};

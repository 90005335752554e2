import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { Host, HostEvents, ToolResult } from "./host.ts";

/** The members of `window.openai` that are used, for versions of ChatGPT without MCP Apps. */
type OpenAi = {
  toolInput?: unknown;
  toolOutput?: unknown;
  toolResponseMetadata?: unknown;
  theme?: unknown;
  callTool?: (name: string, args: JsonObject) => Promise<unknown>;
  openExternal?: (target: { href: string }) => unknown;
  sendFollowUpMessage?: (message: { prompt: string }) => unknown;
  notifyIntrinsicHeight?: (height: number) => unknown;
};

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged
  interface Window {
    openai?: OpenAi;
  }
}

/** Connects to `window.openai`; undefined if it does not exist. */
export function connectOpenAiHost(events: HostEvents): Host | undefined {
  const { openai } = window;
  if (openai === undefined) return undefined;
  let input: unknown;
  let output: unknown;
  const read = () => {
    events.onAppearance({ theme: typeof openai.theme === "string" ? openai.theme : undefined });
    if (isObject(openai.toolInput) && openai.toolInput !== input) {
      input = openai.toolInput;
      events.onToolInput(openai.toolInput);
    }
    if (isObject(openai.toolOutput) && openai.toolOutput !== output) {
      output = openai.toolOutput;
      events.onToolResult(toResult(openai.toolOutput, openai.toolResponseMetadata));
    }
  };
  read();
  window.addEventListener("openai:set_globals", read);
  return toHost(openai);
}

/** The complete result if the host provides it, otherwise its structured content. */
function toResult(structuredContent: JsonObject, metadata: unknown): ToolResult {
  if (!isObject(metadata)) return { structuredContent };
  const result = own(metadata, "mcp_tool_result") ?? own(metadata, "call_tool_result");
  return isObject(result) ? result : { structuredContent, _meta: metadata };
}

function toHost(openai: OpenAi): Host {
  return {
    callTool:
      openai.callTool === undefined
        ? undefined
        : async (name, args) => parseResponse(await openai.callTool?.(name, args)),
    readResource: undefined,
    openLink:
      openai.openExternal === undefined
        ? undefined
        : (url) => void openai.openExternal?.({ href: url }),
    updateModelContext: undefined,
    sendMessage:
      openai.sendFollowUpMessage === undefined
        ? undefined
        : (text) => void openai.sendFollowUpMessage?.({ prompt: text }),
    resize: (_, height) => void openai.notifyIntrinsicHeight?.(height),
  };
}

/** Some versions respond with the result, others only with its text. */
function parseResponse(response: unknown): ToolResult {
  if (!isObject(response)) return {};
  const text = textAt(response, "result");
  return text === undefined ? response : { content: [{ type: "text", text }] };
}

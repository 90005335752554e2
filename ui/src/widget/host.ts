import type { JsonObject } from "@toolhost/tool-schema/json";

/** What a tool call answers, as MCP has it. */
export type ToolResult = {
  content?: readonly JsonObject[];
  structuredContent?: JsonObject;
  isError?: boolean;
  _meta?: JsonObject;
};

/** What the program around the widget does for it. What it does not offer is undefined. */
export type Host = {
  callTool:
    | ((name: string, args: JsonObject, signal?: AbortSignal) => Promise<ToolResult>)
    | undefined;
  /** Reads a resource of the server: its `contents`. */
  readResource: ((uri: string) => Promise<readonly JsonObject[]>) | undefined;
  openLink: ((url: string) => void) | undefined;
  /** Lets the model know something without waking it. */
  tellModel: ((text: string) => void) | undefined;
  /** Says something in the chat in the person's name. */
  say: ((text: string) => void) | undefined;
  resize(width: number, height: number): void;
};

/** What the program around the widget tells it. */
export type HostEvents = {
  onToolInput(args: JsonObject): void;
  onToolResult(result: ToolResult): void;
  onToolCancelled(reason: string | undefined): void;
  onLook(look: Look): void;
};

/** How the widget is to look. */
export type Look = {
  theme?: string | undefined;
  variables?: JsonObject | undefined;
  insets?: JsonObject | undefined;
};

import type { JsonObject } from "@toolhost/tool-schema/json";

/** The result of an MCP tool call. */
export type ToolResult = {
  content?: readonly JsonObject[];
  structuredContent?: JsonObject;
  isError?: boolean;
  _meta?: JsonObject;
};

/** What the app around the widget provides. What it does not support is undefined. */
export type Host = {
  callTool:
    | ((name: string, args: JsonObject, signal?: AbortSignal) => Promise<ToolResult>)
    | undefined;
  /** Reads the `contents` of a resource of the server. */
  readResource: ((uri: string) => Promise<readonly JsonObject[]>) | undefined;
  openLink: ((url: string) => void) | undefined;
  /** Adds text to the model's context without starting a turn. */
  updateModelContext: ((text: string) => void) | undefined;
  /** Sends a chat message on behalf of the user. */
  sendMessage: ((text: string) => void) | undefined;
  resize(width: number, height: number): void;
};

/** What the app around the widget reports. */
export type HostEvents = {
  onToolInput(args: JsonObject): void;
  onToolResult(result: ToolResult): void;
  onToolCancelled(reason: string | undefined): void;
  onAppearance(appearance: Appearance): void;
};

/** The theme, CSS variables and insets that the host asks for. */
export type Appearance = {
  theme?: string | undefined;
  variables?: JsonObject | undefined;
  insets?: JsonObject | undefined;
};

import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { Appearance, Host, HostEvents } from "./host.ts";
import { createRpc } from "./rpc.ts";
import type { Rpc } from "./rpc.ts";

const protocolVersion = "2026-01-26";

/** Connects to an MCP Apps host. Events can arrive before the host responds, and even if it never does. */
export function connectAppsHost(events: HostEvents): Promise<Host> {
  const rpc = createRpc((method, params) => {
    const handle = Object.hasOwn(notifications, method) ? notifications[method] : undefined;
    handle?.(events, params);
  });
  return initialize(rpc, events);
}

const notifications: Record<string, (events: HostEvents, params: JsonObject) => void> = {
  "ui/notifications/tool-input": (events, params) => {
    const args = own(params, "arguments");
    events.onToolInput(isObject(args) ? args : {});
  },
  "ui/notifications/tool-result": (events, params) => events.onToolResult(params),
  "ui/notifications/tool-cancelled": (events, params) =>
    events.onToolCancelled(textAt(params, "reason")),
  "ui/notifications/host-context-changed": (events, params) =>
    events.onAppearance(parseAppearance(params)),
};

async function initialize(rpc: Rpc, events: HostEvents): Promise<Host> {
  const response = await rpc.request(
    "ui/initialize",
    {
      protocolVersion,
      appInfo: { name: "toolhost-tool-runner", title: "Tool runner", version: "1.0.0" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    },
    // Some hosts respond only when the user scrolls to the widget.
    { timeoutMs: 2_000_000_000 },
  );
  const [capabilities, context] = [response["hostCapabilities"], response["hostContext"]];
  if (isObject(context)) events.onAppearance(parseAppearance(context));
  rpc.notify("ui/notifications/initialized", {});
  return toHost(rpc, isObject(capabilities) ? capabilities : {});
}

function toHost(rpc: Rpc, capabilities: JsonObject): Host {
  const supports = (name: string) => own(capabilities, name) !== undefined;
  /** For requests whose failure needs no handling, because the user sees that nothing happened. */
  const request = (method: string, params: JsonObject) =>
    void rpc.request(method, params).catch(() => {});
  return {
    callTool: supports("serverTools")
      ? (name, args, signal) => rpc.request("tools/call", { name, arguments: args }, { signal })
      : undefined,
    readResource: supports("serverResources")
      ? async (uri) => objectsAt(await rpc.request("resources/read", { uri }), "contents")
      : undefined,
    openLink: supports("openLinks") ? (url) => request("ui/open-link", { url }) : undefined,
    updateModelContext: supports("updateModelContext")
      ? (text) => request("ui/update-model-context", { content: [{ type: "text", text }] })
      : undefined,
    sendMessage: supports("message")
      ? (text) => request("ui/message", { role: "user", content: [{ type: "text", text }] })
      : undefined,
    resize: (width, height) => rpc.notify("ui/notifications/size-changed", { width, height }),
  };
}

function parseAppearance(context: JsonObject): Appearance {
  const { styles, safeAreaInsets: insets } = context;
  const variables = isObject(styles) ? own(styles, "variables") : undefined;
  return {
    theme: textAt(context, "theme"),
    variables: isObject(variables) ? variables : undefined,
    insets: isObject(insets) ? insets : undefined,
  };
}

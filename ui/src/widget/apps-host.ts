import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { Host, HostEvents, Look } from "./host.ts";
import { createRpc } from "./rpc.ts";
import type { Rpc } from "./rpc.ts";

const revision = "2026-01-26";

/**
 * Speaks MCP Apps with the host. Events may come before the host has answered; hosts that never do are still heard.
 */
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
  "ui/notifications/host-context-changed": (events, params) => events.onLook(readLook(params)),
};

async function initialize(rpc: Rpc, events: HostEvents): Promise<Host> {
  const answer = await rpc.request(
    "ui/initialize",
    {
      protocolVersion: revision,
      appInfo: { name: "toolhost-tool-runner", title: "Tool runner", version: "1.0.0" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    },
    // A host may take its time until somebody scrolls to the widget.
    { timeoutMs: 2_000_000_000 },
  );
  const [offered, look] = [answer["hostCapabilities"], answer["hostContext"]];
  if (isObject(look)) events.onLook(readLook(look));
  rpc.notify("ui/notifications/initialized", {});
  return toHost(rpc, isObject(offered) ? offered : {});
}

function toHost(rpc: Rpc, offered: JsonObject): Host {
  const offers = (name: string) => own(offered, name) !== undefined;
  /** For what may fail without harm: the person sees that nothing happened. */
  const ask = (method: string, params: JsonObject) =>
    void rpc.request(method, params).catch(() => {});
  return {
    callTool: offers("serverTools")
      ? (name, args, signal) => rpc.request("tools/call", { name, arguments: args }, { signal })
      : undefined,
    readResource: offers("serverResources")
      ? async (uri) => objectsAt(await rpc.request("resources/read", { uri }), "contents")
      : undefined,
    openLink: offers("openLinks") ? (url) => ask("ui/open-link", { url }) : undefined,
    tellModel: offers("updateModelContext")
      ? (text) => ask("ui/update-model-context", { content: [{ type: "text", text }] })
      : undefined,
    say: offers("message")
      ? (text) => ask("ui/message", { role: "user", content: [{ type: "text", text }] })
      : undefined,
    resize: (width, height) => rpc.notify("ui/notifications/size-changed", { width, height }),
  };
}

function readLook(context: JsonObject): Look {
  const { styles, safeAreaInsets: insets } = context;
  const variables = isObject(styles) ? own(styles, "variables") : undefined;
  return {
    theme: textAt(context, "theme"),
    variables: isObject(variables) ? variables : undefined,
    insets: isObject(insets) ? insets : undefined,
  };
}

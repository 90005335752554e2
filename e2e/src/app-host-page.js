// A minimal chat application that shows widgets with the official host library.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from "@modelcontextprotocol/ext-apps/app-bridge";

const everything = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  updateModelContext: { text: {} },
  message: { text: {} },
};

window.events = [];
const note = (name) => (value) => {
  window.events.push([name, value]);
  return Promise.resolve({});
};

/** Connects like a chat application, and finds the widget of `service_execute_tool`. */
window.connect = async () => {
  const client = new Client(
    { name: "app-host", version: "1.0.0" },
    {
      versionNegotiation: { mode: "auto" },
      capabilities: {
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } },
      },
    },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "service_execute_tool");
  const { contents } = await client.readResource({ uri: getToolUiResourceUri(tool) });
  window.host = { client, tool, widget: contents[0] };
  return contents[0];
};

/** Shows the widget for a call like a chat: first the arguments, then the result. */
window.openTool = async (args, { capabilities = everything, context = {}, result } = {}) => {
  const { client, tool, widget } = window.host;
  window.events.length = 0;
  window.bridge?.teardownResource({}).catch(() => {});
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  frame.style = "width:100%;height:120px;border:0";
  const isReady = new Promise((resolve) => {
    addEventListener("message", ({ source, data }) => {
      const isProxy = data?.method === "ui/notifications/sandbox-proxy-ready";
      if (source === frame.contentWindow && isProxy) resolve();
    });
  });
  const { text, _meta: meta } = widget;
  const csp = meta?.ui?.csp ?? {};
  frame.src = `${window.sandboxOrigin}/?csp=${encodeURIComponent(JSON.stringify(csp))}`;
  document.body.replaceChildren(frame);
  await isReady;
  const isWhole = capabilities.serverTools !== undefined;
  const bridge = new AppBridge(
    isWhole ? client : null,
    { name: "app-host", version: "1.0.0" },
    capabilities,
    { hostContext: { theme: "light", displayMode: "inline", ...context, toolInfo: { tool } } },
  );
  bridge.onsizechange = ({ height }) => {
    frame.style.height = `${Math.min(height ?? 0, 3_000)}px`;
    void note("size")(height);
  };
  bridge.onupdatemodelcontext = ({ content }) => note("model")(content?.[0]?.text);
  // This is the handler of a request, not an event listener.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  bridge.onmessage = ({ content }) => note("message")(content?.[0]?.text);
  bridge.onopenlink = ({ url }) => note("link")(url);
  const isInitialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await bridge.sendSandboxResourceReady({ html: text, csp });
  await isInitialized;
  window.bridge = bridge;
  if (args !== undefined) await bridge.sendToolInput({ arguments: args });
  const answer = result ?? (await client.callTool({ name: tool.name, arguments: args }));
  await bridge.sendToolResult(answer);
};

import { connectAppsHost } from "./apps-host.ts";
import { createApp } from "./app.ts";
import type { Host } from "./host.ts";
import { applyAppearance, reportSize } from "./appearance.ts";
import * as messages from "./messages.ts";
import { connectOpenAiHost } from "./openai-host.ts";

/** How long an MCP Apps host may take to respond before `window.openai` of ChatGPT is used instead. */
const appsHostTimeoutMs = 1_000;

let isConnected = false;
// Not the body itself: if a host inserts content before the page, the parser moves the styles into the body.
const app = createApp(document.getElementById("app") ?? document.body);
const events = { ...app, onAppearance: applyAppearance };
const connect = (host: Host) => {
  isConnected = true;
  app.onHost(host);
  reportSize((width, height) => host.resize(width, height));
};

const timer = setTimeout(() => {
  const host = isConnected ? undefined : connectOpenAiHost(events);
  if (host === undefined) return;
  connect(host);
}, appsHostTimeoutMs);

connectAppsHost(events)
  .then((host) => {
    clearTimeout(timer);
    if (!isConnected) connect(host);
  })
  .catch((error: unknown) => {
    app.onHostError(error instanceof Error ? error.message : messages.hostTimeout);
  });

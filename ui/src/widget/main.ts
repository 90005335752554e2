import { connectAppsHost } from "./apps-host.ts";
import { createApp } from "./app.ts";
import type { Host } from "./host.ts";
import { applyLook, followSize } from "./look.ts";
import * as messages from "./messages.ts";
import { connectOpenAiHost } from "./openai-host.ts";

/** ChatGPT has its own way in beside MCP Apps; the latter is given this long to answer. */
const patienceMs = 1_000;

let isConnected = false;
// Not the body itself: where a host puts words of its own first, the styles end up in there.
const app = createApp(document.getElementById("app") ?? document.body);
const events = { ...app, onLook: applyLook };
const connect = (host: Host) => {
  isConnected = true;
  app.onHost(host);
  followSize((width, height) => host.resize(width, height));
};

const timer = setTimeout(() => {
  const host = isConnected ? undefined : connectOpenAiHost(events);
  if (host === undefined) return;
  connect(host);
}, patienceMs);

connectAppsHost(events)
  .then((host) => {
    clearTimeout(timer);
    if (!isConnected) connect(host);
  })
  .catch((error: unknown) => {
    app.onHostError(error instanceof Error ? error.message : messages.hostTimeout);
  });

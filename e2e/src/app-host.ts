import { createServer, request } from "node:http";
import type {
  IncomingMessage,
  RequestListener,
  Server as HttpServer,
  ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import type { FrameLocator, Page } from "playwright-core";
import { startChromium } from "./browser.ts";
import type { Server } from "./server.ts";

type Opening = {
  /** The capabilities that the chat application offers to widgets; all by default. */
  capabilities?: object;
  /** The host context, such as theme and variables. */
  context?: object;
  /** A result to show instead of calling the tool. */
  result?: object;
};

/** A chat application in a real browser that shows widgets in sandboxes of another origin. */
export type AppHost = {
  page: Page;
  /** The content of the widget. */
  widget: FrameLocator;
  /** The widget's resource. */
  resource: { text: string; mimeType: string; _meta?: Record<string, unknown> };
  /** Calls a hosted tool through `service_execute_tool` and shows the widget for it. */
  open(tool: string, input: object, opening?: Opening): Promise<void>;
  /** The requests of the widget to the host with this name. */
  events(name: string): Promise<unknown[]>;
  /** Takes a picture of the page if SCREENSHOTS names a folder. */
  picture(name: string): Promise<void>;
  /** Errors and policy violations of the page and the widget. */
  faults: string[];
  close(): Promise<void>;
};

/** Starts the chat application, connected to the service with a key that has all scopes. */
export async function startAppHost(server: Server): Promise<AppHost> {
  const script = await bundle();
  const sandbox = await listen(serveSandbox, "127.0.0.1");
  const host = await listen((incoming, outgoing) => {
    if (incoming.url === "/mcp") return forward(server, incoming, outgoing);
    const page = `<!doctype html><meta charset="utf-8"><body style="margin:0"><script>window.sandboxOrigin="http://localhost:${portOf(sandbox)}"</script><script>${script}</script>`;
    return outgoing.writeHead(200, { "content-type": "text/html" }).end(page);
  }, "127.0.0.1");
  const browser = await startChromium();
  const page = await browser.newPage({ viewport: { width: 640, height: 900 } });
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (line) => {
    if (line.type() === "error") faults.push(line.text());
  });
  await page.goto(`http://127.0.0.1:${portOf(host)}/`);
  const resource = (await page.evaluate("window.connect()")) as AppHost["resource"];
  return {
    page,
    widget: page.frameLocator("iframe").frameLocator("iframe"),
    resource,
    faults,
    open: async (tool, input, opening = {}) => {
      const args = JSON.stringify({ tool_name: tool, arguments: input });
      await page.evaluate(`window.openTool(${args}, ${JSON.stringify(opening)})`);
    },
    events: async (wanted) => {
      const events = (await page.evaluate("window.events")) as [string, unknown][];
      return events.filter(([name]) => name === wanted).map(([, value]) => value);
    },
    picture: async (name) => {
      const folder = process.env["SCREENSHOTS"];
      if (folder === undefined) return;
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    },
    close: async () => {
      await browser.close();
      for (const one of [sandbox, host]) {
        one.close();
        one.closeAllConnections();
      }
    },
  };
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "app-host-page.js")],
    bundle: true,
    format: "iife",
    platform: "browser",
    conditions: ["browser"],
    write: false,
  });
  return (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
}

function listen(serve: RequestListener, host: string): Promise<HttpServer> {
  const server = createServer(serve);
  return new Promise((resolve) => server.listen(0, host, () => resolve(server)));
}

function portOf(server: HttpServer): number {
  return (server.address() as AddressInfo).port;
}

/** Forwards a request to the service and adds the key, which the page does not have. */
function forward(server: Server, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host: _, origin: __, ...headers } = incoming.headers;
  const passed = request(`${server.baseUrl}/api/mcp`, {
    method: incoming.method,
    headers: { ...headers, authorization: `Bearer ${server.apiKey}` },
  });
  passed.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}

/** The page between host and widget, which applies the requested policy to the widget. */
const serveSandbox: RequestListener = (incoming, outgoing) => {
  const { searchParams } = new URL(incoming.url ?? "/", "http://localhost");
  const { connectDomains = [], resourceDomains = [] } = JSON.parse(
    searchParams.get("csp") ?? "{}",
  ) as { connectDomains?: string[]; resourceDomains?: string[] };
  const resources = resourceDomains.join(" ");
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${resources}`,
    `style-src 'self' 'unsafe-inline' ${resources}`,
    `img-src 'self' data: ${resources}`,
    `connect-src ${connectDomains.join(" ") || "'none'"}`,
    "frame-src 'self'",
    "object-src 'none'",
  ].join("; ");
  const headers = { "content-type": "text/html", "content-security-policy": policy };
  outgoing.writeHead(200, headers).end(sandboxPage);
};

const sandboxPage = `<!doctype html><body style="margin:0"><script>
const host = new URL(document.referrer).origin;
const frame = document.createElement("iframe");
frame.style = "width:100%;height:100vh;border:0";
frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
document.body.append(frame);
addEventListener("message", ({ source, origin, data }) => {
  if (source === frame.contentWindow) return parent.postMessage(data, host);
  if (source !== parent || origin !== host) return;
  if (data?.method !== "ui/notifications/sandbox-resource-ready") return frame.contentWindow.postMessage(data, "*");
  frame.contentDocument.open();
  frame.contentDocument.write(data.params.html);
  frame.contentDocument.close();
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, host);
</script>`;

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { createLogger, createServer } from "vite";
import type { Logger } from "vite";
import { assetsPath, pageRoots } from "./pages.ts";

// Starts the service and, in front of it, the console's development server, which replaces changed modules in open pages.
// All is at one address, so that cookies, redirects and checks of origins are those of the service alone.

const root = join(import.meta.dirname, "..");
const host = "127.0.0.1";

/** The console's document for its pages; undefined for what the service answers. */
function findDocument({ method, url = "", headers }: IncomingMessage): string | undefined {
  const [, page = ""] = new URL(url, "http://localhost").pathname.split("/");
  const isPage = method === "GET" && headers.accept?.includes("text/html") === true;
  return isPage && pageRoots.includes(page) ? `${assetsPath}/index.html` : undefined;
}

/** Requests fail while the service restarts, which needs no stack trace for each. */
function createQuietLogger(): Logger {
  const logger = createLogger();
  return {
    ...logger,
    error: (message, options) => {
      if (!message.includes("http proxy error")) logger.error(message, options);
      else logger.warnOnce("Requests fail while the service starts", { timestamp: true });
    },
  };
}

async function serveConsole(port: number, baseUrl: string, service: string): Promise<void> {
  const server = await createServer({
    configFile: join(import.meta.dirname, "vite.config.ts"),
    configLoader: "native",
    clearScreen: false,
    customLogger: createQuietLogger(),
    server: {
      host,
      port,
      strictPort: true,
      allowedHosts: [new URL(baseUrl).hostname],
      // The service decides which origins may call it.
      cors: false,
      // Not the data folder, which contains secrets.
      fs: { allow: ["console", "contract", "node_modules", "tool-schema", "ui"].map(inRoot) },
      proxy: { [`^(?!${assetsPath}/)`]: { target: service, bypass: findDocument } },
    },
  });
  await server.listen();
}

const inRoot = (path: string) => join(root, path);

/** Restarts the service when a file that it imports changes. Arguments such as `--inspect` are passed to its Node.js. */
function startService(port: number, baseUrl: string): ChildProcess {
  const options = ["--watch", "--watch-preserve-output", ...process.argv.slice(2)];
  const env = { ...process.env, HOST: host, PORT: String(port), BASE_URL: baseUrl };
  return spawn(process.execPath, [...options, inRoot("server/src/main.ts")], {
    stdio: "inherit",
    env,
  });
}

async function findFreePort(): Promise<number> {
  const server = createTcpServer().listen(0, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || address === null) throw new Error("No port is free");
  return address.port;
}

if (existsSync(".env")) process.loadEnvFile(".env");
const port = Number(process.env["PORT"] ?? 3000);
const baseUrl = process.env["BASE_URL"] ?? `http://localhost:${port}`;
const servicePort = await findFreePort();
try {
  await serveConsole(port, baseUrl, `http://${host}:${servicePort}`);
} catch (error) {
  process.stderr.write(`The console cannot be served: ${String(error)}\n`);
  process.exit(1);
}
const service = startService(servicePort, baseUrl);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.kill());
service.once("exit", (code) => process.exit(code ?? 0));

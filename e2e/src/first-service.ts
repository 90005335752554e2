import { cp } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Template } from "../../server/testing/template.ts";
import { startServer } from "./server.ts";

// Starts a new service and stops it. Its data remains in the folder in the command line.
const [, , folder = ""] = process.argv;
const server = await startServer();
const { person, cookie, apiKey, workspaceId } = server;
const url = server.settings["DATABASE_URL"];
const { code } = await server.end("SIGTERM");
if (code !== 0) throw new Error(`The service ended with ${code}`);
const dataDir = join(folder, "data");
await cp(server.dataDir, dataDir, { recursive: true, filter: (path) => !path.endsWith("sandbox") });
const template: Template = {
  dataDir,
  database: url === undefined ? null : new URL(url).pathname.slice(1),
  owner: { person, cookie, apiKey, workspaceId },
};
await server.leave();
process.stdout.write(JSON.stringify(template));

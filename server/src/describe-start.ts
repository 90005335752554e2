import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { FirstStart } from "./first-start.ts";
import { areMetricsOpen } from "./serve-metrics.ts";
import type { Service } from "./start.ts";
import { isWeaklyIsolated, weakIsolationWarning } from "./weak-isolation.ts";

const megabyte = 1024 * 1024;

/** The text printed when the service is ready: its URL and, on the first start, the credentials and an example. */
export function describeStart(service: Service): string {
  const { context, firstStart, unusedAccount, isUnowned, metricsPort } = service;
  const { config, sandbox } = context;
  const lines = [`Toolhost is ready at ${config.baseUrl}`];
  const status = sandbox.status();
  if (status.ready) {
    const size = `at most ${config.SANDBOX_MAX_PROCESSES} processes`;
    const memory = `${Math.floor(config.memoryBytes / megabyte)} MB of memory`;
    const advice = status.advice === undefined ? "" : `. ${status.advice}`;
    lines.push(`Sandbox: ${status.layer}, ${size}, ${memory}${advice}`);
    if (isWeaklyIsolated(context)) lines.push(weakIsolationWarning);
  } else {
    lines.push(`Sandbox: NOT READY; tools cannot run. ${status.problem}. ${status.advice}`);
    if (config.SANDBOX_ISOLATION === "auto") {
      lines.push("To use weaker isolation, set SANDBOX_ISOLATION to namespaces or process.");
    }
  }
  lines.push(`MCP endpoint: ${config.mcpUrl}/api/mcp`);
  const { EMBEDDINGS_URL, EMBEDDINGS_MODEL } = config;
  if (EMBEDDINGS_URL !== undefined) {
    const { host } = new URL(EMBEDDINGS_URL);
    lines.push(
      `Search by meaning: sends texts of tools and searches to ${host} (${EMBEDDINGS_MODEL})`,
    );
  }
  const { METRICS_PORT, METRICS_TOKEN, METRICS_HOST } = config;
  if (METRICS_PORT !== undefined) {
    lines.push(`Metrics: http://${METRICS_HOST}:${metricsPort ?? METRICS_PORT}/metrics`);
  } else if (METRICS_TOKEN === undefined && !areMetricsOpen(config)) {
    lines.push(
      "Metrics: off, because this server is reachable from other machines. Set METRICS_TOKEN, or METRICS_PORT for a separate port.",
    );
  }
  if (isUnowned) {
    lines.push(
      "This server has no owner yet. The first user to sign up becomes the owner.",
      `Open ${config.baseUrl}${context.people.setupPath}`,
    );
  }
  if (firstStart === undefined && unusedAccount !== undefined) {
    lines.push(`No user has signed in yet. The first account and its password: ${unusedAccount}`);
  }
  if (firstStart !== undefined) lines.push(...describeFirstStart(firstStart, config.dataDir));
  return `${lines.join("\n")}\n`;
}

function describeFirstStart(made: FirstStart, dataDir: string): string[] {
  const body = JSON.stringify(made.exampleInput).replaceAll("'", "'\\''");
  return [
    "",
    `Console:  ${made.baseUrl}`,
    `Owner:    ${made.email}`,
    `Password: ${made.password}`,
    `API key:  ${made.apiKey}`,
    `(shown once; saved in ${join(dataDir, "first-run.json")})`,
    "",
    `${made.toolCount} starter tools are ready. Try one:`,
    "",
    // One line that runs as pasted. The new key prevents a replay of an earlier response.
    `curl -s -X POST ${made.baseUrl}/api/v1/run/${made.exampleTool} -H 'Authorization: Bearer ${made.apiKey}' -H 'Content-Type: application/json' -H 'Idempotency-Key: ${randomUUID()}' -d '${body}'`,
    "",
  ];
}

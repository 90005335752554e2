import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { FirstStart } from "./first-start.ts";
import { areMetricsOpen } from "./serve-metrics.ts";
import type { Service } from "./start.ts";

/** What the service prints when it is ready: where it is, and on a first start all that one needs. */
export function describeStart({ context, firstStart, isUnowned, metricsPort }: Service): string {
  const { config, sandbox } = context;
  const lines = [`Toolhost is ready at ${config.baseUrl}`];
  const status = sandbox.status();
  if (status.ready) {
    lines.push(
      `Sandbox: ${status.layer}${status.advice === undefined ? "" : `. ${status.advice}`}`,
    );
  } else {
    lines.push(`Sandbox: NOT READY, no tool can run. ${status.problem}. ${status.advice}`);
    if (config.SANDBOX_ISOLATION === "auto") {
      lines.push(
        "To run on a weaker layer on purpose, set SANDBOX_ISOLATION to namespaces or process.",
      );
    }
  }
  lines.push(`Agents connect to ${config.mcpUrl}/api/mcp`);
  const { METRICS_PORT, METRICS_TOKEN, METRICS_HOST } = config;
  if (METRICS_PORT !== undefined) {
    lines.push(`Metrics: http://${METRICS_HOST}:${metricsPort ?? METRICS_PORT}/metrics`);
  } else if (METRICS_TOKEN === undefined && !areMetricsOpen(config)) {
    lines.push(
      "Metrics: off, because others can reach this server. Set METRICS_TOKEN, or METRICS_PORT for a port of their own.",
    );
  }
  if (isUnowned) {
    lines.push(
      "Nobody owns this server yet: the first to sign up will.",
      `Open ${config.baseUrl}/sign-up`,
    );
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
    `(shown once, and kept in ${join(dataDir, "first-run.json")})`,
    "",
    `${made.toolCount} starter tools are installed. Run one:`,
    "",
    // One line, so that it can be pasted as it is; a key of its own, so that the call is not a repeat.
    `curl -s -X POST ${made.baseUrl}/api/v1/run/${made.exampleTool} -H 'Authorization: Bearer ${made.apiKey}' -H 'Content-Type: application/json' -H 'Idempotency-Key: ${randomUUID()}' -d '${body}'`,
    "",
  ];
}

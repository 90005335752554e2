import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { z } from "zod";
import { findQuietPort } from "./postgres-server.ts";
import { until } from "./until.ts";

/** An alert that is pending or firing, with its labels. */
export type Alert = { labels: Record<string, string>; state: string };

/** A Prometheus server that scrapes one service each second. */
export type Prometheus = {
  alerts(): Promise<Alert[]>;
  stop(): Promise<void>;
};

/** Whether Prometheus and promtool are installed. */
export const hasPrometheus = ["prometheus", "promtool"].every(
  (program) => spawnSync(program, ["--version"]).status === 0,
);

const answer = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.record(z.string(), z.string()), state: z.string() })),
  }),
});

/** Checks a file of rules with promtool. Throws with its output if a rule is invalid. */
export async function checkRules(rules: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-rules-"));
  const file = join(folder, "rules.yaml");
  await writeFile(file, rules);
  await promisify(execFile)("promtool", ["check", "rules", file]).finally(() =>
    rm(folder, { recursive: true, force: true }),
  );
}

/** Starts Prometheus with these rules for the service at `baseUrl`, as the job `toolhost`. */
export async function startPrometheus(baseUrl: string, rules: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-prometheus-"));
  const address = `127.0.0.1:${await findQuietPort()}`;
  const config = `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
scrape_configs: [{ job_name: toolhost, static_configs: [{ targets: ["${new URL(baseUrl).host}"] }] }]
`;
  await writeFile(join(folder, "rules.yaml"), rules);
  await writeFile(join(folder, "prometheus.yaml"), config);
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yaml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=${address}`,
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  await until("Prometheus is ready", 20_000, () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    alerts: async () => {
      const response = await fetch(`http://${address}/api/v1/alerts`);
      return answer.parse(await response.json()).data.alerts;
    },
    stop: async () => {
      process.off("exit", kill);
      const exited = new Promise((resolve) => child.once("exit", resolve));
      kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

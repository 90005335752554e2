import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { endWithProcess } from "./end-with-process.ts";
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
  await runPromtool(["check", "rules"], "rules.yaml", { "rules.yaml": rules });
}

/** Series by name and labels, with their values each minute in the notation of promtool, such as `0+20x60`. */
export type Series = Record<string, string>;

/** Throws unless, after half an hour of these series, exactly the alert `alertname` fires, or none if it is undefined. */
export async function expectAlert(
  rules: string,
  series: Series,
  alertname: string | undefined,
): Promise<void> {
  const test = {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"}) > bool 0',
        eval_time: "30m",
        exp_samples:
          alertname === undefined ? [] : [{ labels: `{alertname="${alertname}"}`, value: 1 }],
      },
    ],
  };
  // JSON is YAML.
  await runPromtool(["test", "rules"], "test.yaml", {
    "rules.yaml": rules,
    "test.yaml": JSON.stringify({
      rule_files: ["rules.yaml"],
      evaluation_interval: "1m",
      tests: [test],
    }),
  });
}

async function runPromtool(
  command: readonly string[],
  file: string,
  files: Record<string, string>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-rules-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await promisify(execFile)("promtool", [...command, join(folder, file)]);
  } catch (error) {
    // promtool explains on its standard output and error.
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  const end = endWithProcess(child);
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
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

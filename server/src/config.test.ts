import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig, settingNames } from "#config";
import { settingGroups } from "./config-schema.ts";
import {
  capSettings,
  concurrencySettings,
  connectionSettings,
  rateSettings,
} from "./config-limits.ts";

/** `10 GiB` and `1000` as numbers. */
function toNumber(text: string): number {
  const [amount = "", unit = ""] = text.split(" ");
  return Number(amount) * ({ KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }[unit] ?? 1);
}

const root = join(import.meta.dirname, "../..");
/** Memory with which the documented defaults apply. */
const ample = 64 * 1024 ** 3;

describe("configuration", () => {
  it("has a default for everything", () => {
    const config = readConfig({});
    expect(config).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", isLoopback: true });
    expect(config.baseUrl).toBe("http://localhost:3000");
    expect(config.mcpUrl).toBe("http://localhost:3000");
  });

  it.each([
    ["PORT", "abc", 'must be a whole number from 0 to 65535 (it is "abc")'],
    ["PORT", "70000", 'must be a whole number from 0 to 65535 (it is "70000")'],
    ["RUN_WAIT_MS", "1e99", 'must be a whole number from 0 to 55000 (it is "1e99")'],
    ["RUN_WAIT_MS", "0.5", 'must be a whole number from 0 to 55000 (it is "0.5")'],
    ["BASE_URL", "localhost:3000", 'must be an http or https URL (it is "localhost:3000")'],
    ["DATABASE_URL", "mysql://x", "must be a postgres:// address (its value is not shown)"],
    ["DATABASE_DIRECT_URL", "postgres://x", "must be set with DATABASE_DIRECT_URL (it is not set)"],
    [
      "ENCRYPTION_KEY",
      "short",
      "must be 32 bytes as 64 hex digits or base64 (its value is not shown)",
    ],
    ["SANDBOX_ISOLATION", "none", 'must be one of auto, bwrap, namespaces, process (it is "none")'],
    ["S3_FORCE_PATH_STYLE", "maybe", 'must be one of true, false (it is "maybe")'],
    ["MAIL_FROM", "a", 'must have at least 3 characters (it is "a")'],
    ["GITHUB_CLIENT_ID", "id", "must be set with GITHUB_CLIENT_ID (it is not set)"],
  ])("refuses %s=%s in one line that says what it must be", (name, value, words) => {
    const refusal = `: ${words}. See ${join(import.meta.dirname, "../../.env.example")}.`;
    expect(() => readConfig({ [name]: value })).toThrow(/^Invalid configuration: [^\n]*$/);
    expect(() => readConfig({ [name]: value })).toThrow(refusal);
  });

  it("does not show invalid secrets", () => {
    const names = [
      "ENCRYPTION_KEY",
      "ENCRYPTION_KEY_PREVIOUS",
      "METRICS_TOKEN",
      "DATABASE_URL",
      "SMTP_URL",
      "DISCORD_PUBLIC_KEY",
    ];
    for (const name of names) {
      expect(() => readConfig({ [name]: "hunter2" })).toThrow(name);
      expect(() => readConfig({ [name]: "hunter2" })).toThrow(/^(?!.*hunter2)/);
    }
  });

  it("requires a bucket for files in S3, and both of its secrets", () => {
    const wrong = (settings: Record<string, string>) => {
      try {
        readConfig(settings);
        return "";
      } catch (error) {
        return String(error);
      }
    };
    expect(wrong({ FILE_STORAGE: "s3" })).toContain("S3_BUCKET: must be set for FILE_STORAGE=s3");
    expect(wrong({ S3_ACCESS_KEY_ID: "id" })).toContain("S3_SECRET_ACCESS_KEY: must be set");
    expect(wrong({ S3_SECRET_ACCESS_KEY: "hunter2" })).toMatch(/^(?!.*hunter2).*S3_ACCESS_KEY_ID/);
    expect(readConfig({ FILE_STORAGE: "s3", S3_BUCKET: "b" }).S3_FORCE_PATH_STYLE).toBe(false);
  });

  it("treats an empty variable as unset", () => {
    expect(readConfig({ PORT: "", BASE_URL: " " }).PORT).toBe(3000);
  });

  it("detects loopback addresses", () => {
    expect(readConfig({ HOST: "127.0.0.2" }).isLoopback).toBe(true);
    expect(readConfig({ HOST: "0.0.0.0" }).isLoopback).toBe(false);
    expect(readConfig({ HOST: "10.0.0.1" }).isLoopback).toBe(false);
  });

  it.each([
    [200, 2, 5, 1],
    [600, 5, 5, 1],
    [1_024, 12, 6, 4],
    [2_048, 28, 14, 4],
    [8_192, 64, 32, 4],
  ])("sizes the processes of a node for %i MB", (megabytes, processes, children, builds) => {
    expect(readConfig({}, megabytes * 1024 * 1024)).toMatchObject({
      SANDBOX_MAX_PROCESSES: processes,
      SANDBOX_CHILD_PROCESSES: children,
      BUILD_SLOTS: builds,
    });
  });

  it("takes the sizes that are set, whatever the memory", () => {
    const set = { SANDBOX_MAX_PROCESSES: 40, SANDBOX_CHILD_PROCESSES: 9, BUILD_SLOTS: 3 };
    const text = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, `${value}`]));
    expect(readConfig(text, 600 * 1024 * 1024)).toMatchObject(set);
  });

  it("has each setting in one section of the reference", () => {
    const names = settingGroups.flatMap(({ settings }) => Object.keys(settings));
    expect(names.toSorted()).toEqual(settingNames.toSorted());
  });

  it("has every limit in docs/reference/limits.md, with its default", () => {
    const rows = readFileSync(join(root, "docs/reference/limits.md"), "utf8")
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()));
    const documented = new Map(rows.map(([, name, value]) => [name, toNumber(value ?? "")]));
    const isLimit = /^(?:RATE_LIMIT|QUOTA|EGRESS|RUN)_|_MAX_|^MAX_|_TIMEOUT_MS$|_RETENTION_/;
    // The replacement of processes and the settings of models are not limits on requests.
    const isOther = /^(?:CHAT_MODEL|EMBEDDINGS)_|^SANDBOX_MAX_(?:RUNS_PER_PROCESS|PROCESS_AGE_MS)$/;
    for (const [name, value] of Object.entries(readConfig({}, ample))) {
      if (!isLimit.test(name) || isOther.test(name) || typeof value !== "number") continue;
      expect([name, documented.get(`\`${name}\``)]).toEqual([name, value]);
    }
    const others = {
      ...rateSettings,
      ...capSettings,
      ...concurrencySettings,
      ...connectionSettings,
    };
    expect(Object.keys(others).filter((name) => !documented.has(`\`${name}\``))).toEqual([]);
  });
});

describe("misspelled settings", () => {
  it("finds variables whose names are close to a setting", () => {
    const { misspelled } = readConfig({ METRICS_TOPN: "5", DATABSE_URL: "x" });
    expect(misspelled).toEqual([
      { name: "METRICS_TOPN", meant: "METRICS_TOP_N" },
      { name: "DATABSE_URL", meant: "DATABASE_URL" },
    ]);
  });

  it("ignores variables of other programs", () => {
    const names = [
      "HOSTNAME PORTS NODE_ENV TOOLHOST_PORT TOOLHOST_SERVICE_HOST KUBERNETES_SERVICE_HOST",
      "OTEL_TRACES_EXPORTER OTEL_EXPORTER_OTLP_METRICS_ENDPOINT OTEL_EXPORTER_OTLP_TIMEOUT",
      "AWS_REGION AWS_SECRET_ACCESS_KEY PGDATABASE POSTGRES_URL REDIS_URL HTTP_PROXY NO_PROXY",
      "JOURNAL_STREAM INVOCATION_ID SYSTEMD_EXEC_PID npm_lifecycle_event npm_package_version",
    ].flatMap((line) => line.split(" "));
    expect(readConfig(Object.fromEntries(names.map((name) => [name, "1"]))).misspelled).toEqual([]);
  });
});

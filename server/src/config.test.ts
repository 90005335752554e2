import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "#config";
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
    const refusal = `: ${words}. See .env.example.`;
    expect(() => readConfig({ [name]: value })).toThrow(/^Invalid configuration: [^\n]*$/);
    expect(() => readConfig({ [name]: value })).toThrow(refusal);
  });

  it("does not show an invalid secret", () => {
    expect(() => readConfig({ ENCRYPTION_KEY: "hunter2" })).toThrow(/^(?!.*hunter2)/);
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

  it("has every setting in .env.example and docs/settings.md", () => {
    const names = Object.keys(readConfig({})).filter((name) => /^[A-Z_]+$/.test(name));
    const optional = ["BASE_URL", "MCP_URL", "DATABASE_URL", "ENCRYPTION_KEY"];
    const limits = readFileSync(join(root, "docs/limits.md"), "utf8");
    for (const file of [".env.example", "docs/settings.md"]) {
      const own = readFileSync(join(root, file), "utf8");
      const text = file === "docs/settings.md" ? own + limits : own;
      const missing = [...names, ...optional].filter((name) => !text.includes(name));
      expect([file, missing]).toEqual([file, []]);
    }
  });

  it("has every limit in docs/limits.md, with its default", () => {
    const rows = readFileSync(join(root, "docs/limits.md"), "utf8")
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()));
    const documented = new Map(rows.map(([, name, value]) => [name, toNumber(value ?? "")]));
    const isLimit = /^(?:RATE_LIMIT|QUOTA|EGRESS|RUN)_|_MAX_|^MAX_|_TIMEOUT_MS$|_RETENTION_/;
    // The replacement of processes and the settings of models are not limits on requests.
    const isOther = /^CHAT_MODEL_|^SANDBOX_MAX_(?:RUNS_PER_PROCESS|PROCESS_AGE_MS)$/;
    for (const [name, value] of Object.entries(readConfig({}))) {
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "#config";

const root = join(import.meta.dirname, "../..");

describe("configuration", () => {
  it("has a default for everything", () => {
    const config = readConfig({});
    expect(config).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", isLoopback: true });
    expect(config.baseUrl).toBe("http://localhost:3000");
    expect(config.mcpUrl).toBe("http://localhost:3000");
  });

  it.each([
    ["PORT", "abc"],
    ["PORT", "70000"],
    ["BASE_URL", "localhost:3000"],
    ["DATABASE_URL", "mysql://localhost/x"],
    ["ENCRYPTION_KEY", "short"],
    ["SANDBOX_ISOLATION", "none"],
    ["LOG_LEVEL", "loud"],
    ["S3_FORCE_PATH_STYLE", "maybe"],
  ])("refuses %s=%s in one line that names it", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(
      new RegExp(`^Wrong configuration: ${name}: [^\\n]*$`),
    );
  });

  it("does not show a secret that is wrong", () => {
    expect(() => readConfig({ ENCRYPTION_KEY: "hunter2" })).toThrow(/^(?!.*hunter2)/);
  });

  it("wants the bucket for files in S3, and its two secrets together", () => {
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

  it("takes an empty variable for an unset one", () => {
    expect(readConfig({ PORT: "", BASE_URL: " " }).PORT).toBe(3000);
  });

  it("knows which addresses only this machine reaches", () => {
    expect(readConfig({ HOST: "127.0.0.2" }).isLoopback).toBe(true);
    expect(readConfig({ HOST: "0.0.0.0" }).isLoopback).toBe(false);
    expect(readConfig({ HOST: "10.0.0.1" }).isLoopback).toBe(false);
  });

  it("is described, setting by setting, in .env.example and the README", () => {
    const names = Object.keys(readConfig({})).filter((name) => /^[A-Z_]+$/.test(name));
    const optional = ["BASE_URL", "MCP_URL", "DATABASE_URL", "ENCRYPTION_KEY"];
    for (const file of [".env.example", "README.md"]) {
      const text = readFileSync(join(root, file), "utf8");
      const missing = [...names, ...optional].filter((name) => !text.includes(name));
      expect([file, missing]).toEqual([file, []]);
    }
  });
});

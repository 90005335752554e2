import { join, resolve } from "node:path";
import type { z } from "zod";
import { checkAccess } from "./check-data-folder.ts";
import { checkTogether } from "./config-checks.ts";
import { ConfigError } from "./config-error.ts";
import { findMisspelled } from "./config-misspelled.ts";
import type { Misspelled } from "./config-misspelled.ts";
import { settings } from "./config-schema.ts";
import { sizesFor } from "./config-sizes.ts";
import type { Sizes } from "./config-sizes.ts";
import { readTracing } from "./config-tracing.ts";
import { isLoopbackHost } from "./config-values.ts";
import { explainIssue } from "#lib/explain-issue";
import { readMemoryLimit } from "#lib/memory-limit";
import { readEnvironment } from "./installation.ts";
import { readNpmConfig } from "./npm-config.ts";
import type { NpmConfig } from "./npm-config.ts";

export { ConfigError, isLoopbackHost };

/** Describes all settings. Every installation has it: a checkout, the npm package and the image. */
const exampleFile = join(import.meta.dirname, "../../.env.example");

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

/** The parsed settings, with values derived from them. */
export type Config = Omit<z.infer<typeof settings>, "BASE_URL" | "MCP_URL" | keyof Sizes> &
  Sizes & {
    /** Absolute path of the data folder. */
    dataDir: string;
    /** With `PORT=0`, correct only after the service listens. */
    baseUrl: string;
    mcpUrl: string;
    /** Whether only programs on this machine can reach the server. */
    isLoopback: boolean;
    /** Memory of the machine, or of the control group if that has less. */
    memoryBytes: number;
    /** Where npm packages are downloaded from. */
    npm: NpmConfig;
    /** Variables of the environment that are probably misspelled settings. */
    misspelled: readonly Misspelled[];
    /** Undefined if nothing is traced. */
    tracing: ReturnType<typeof readTracing>;
  };

/**
 * Reads the settings from the environment, and from a file `.env` for variables that are not set. Sizes that are not set
 * follow from the memory. Throws `ConfigError` that lists every invalid value, or if others can write to the data folder.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = readEnvironment(),
  memoryBytes: number = readMemoryLimit(),
): Config {
  // Many launchers set unset variables to an empty string.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = settings.check(checkTogether).safeParse(given, { error: explainIssue });
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(
      (issue) => `${issue.path.join(".")}: ${issue.message} (${shown(issue.path[0], given)})`,
    );
    throw new ConfigError(`Invalid configuration: ${wrong.join("; ")}. See ${exampleFile}.`);
  }
  const { BASE_URL, MCP_URL, ...rest } = parsed.data;
  const sizes = sizesFor(memoryBytes, rest.RUN_CHILD_DEPTH);
  if (rest.CONFORMANCE && given["NODE_ENV"] === "production") {
    throw new ConfigError(
      "CONFORMANCE=1 serves requests without authentication and is not allowed with NODE_ENV=production.",
    );
  }
  const dataDir = resolve(rest.DATA_DIR);
  checkAccess("data folder", dataDir);
  const baseUrl = BASE_URL ?? `http://localhost:${rest.PORT}`;
  return {
    ...rest,
    SANDBOX_MAX_PROCESSES: rest.SANDBOX_MAX_PROCESSES ?? sizes.SANDBOX_MAX_PROCESSES,
    SANDBOX_CHILD_PROCESSES: rest.SANDBOX_CHILD_PROCESSES ?? sizes.SANDBOX_CHILD_PROCESSES,
    BUILD_SLOTS: rest.BUILD_SLOTS ?? sizes.BUILD_SLOTS,
    memoryBytes,
    dataDir,
    baseUrl,
    mcpUrl: MCP_URL ?? baseUrl,
    isLoopback: isLoopbackHost(rest.HOST),
    npm: readNpmConfig(given),
    misspelled: findMisspelled(Object.keys(given), settingNames),
    tracing: readTracing(rest),
  };
}

/** The configuration with the actual port, for `PORT=0`. */
export function withPort(config: Config, port: number): Config {
  const follow = (url: string) => (url === "http://localhost:0" ? `http://localhost:${port}` : url);
  return { ...config, PORT: port, baseUrl: follow(config.baseUrl), mcpUrl: follow(config.mcpUrl) };
}

/** Settings whose values never appear in messages: secrets, and addresses that may contain one. */
const secretName =
  /_(?:KEY|SECRET|TOKEN|PASSWORD)(?:_ID|_PREVIOUS)?$|^(?:DATABASE(?:_DIRECT)?|SMTP)_URL$|_HEADERS$/;

function shown(
  name: PropertyKey | undefined,
  given: Readonly<Record<string, string | undefined>>,
): string {
  const value = given[String(name)];
  if (value === undefined) return "it is not set";
  return secretName.test(String(name)) ? "its value is not shown" : `it is "${value}"`;
}

import { resolve } from "node:path";
import { z } from "zod";
import {
  address,
  encryptionKey,
  hostList,
  isLoopbackHost,
  networkList,
  originList,
  schemeList,
  whole,
} from "./config-values.ts";
import {
  buildSettings,
  capSettings,
  concurrencySettings,
  connectionSettings,
  rateSettings,
  workerSettings,
} from "./config-limits.ts";
import { chatApps, chatSettings } from "./config-chat.ts";
import { embeddingsSettings } from "./config-embeddings.ts";
import { ConfigError } from "./config-error.ts";
import { findMisspelled } from "./config-misspelled.ts";
import type { Misspelled } from "./config-misspelled.ts";
import { sizesFor } from "./config-sizes.ts";
import type { Sizes } from "./config-sizes.ts";
import { readTracing, tracingSettings } from "./config-tracing.ts";
import { explainIssue } from "#lib/explain-issue";
import { readMemoryLimit } from "#lib/memory-limit";
import { readEnvironment } from "./installation.ts";
import { readNpmConfig } from "./npm-config.ts";
import type { NpmConfig } from "./npm-config.ts";

export { ConfigError };

const megabyte = 1024 * 1024;

/** All settings with their defaults. docs/settings.md and .env.example list the same names. */
const settings = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  BASE_URL: address.optional(),
  MCP_URL: address.optional(),
  MCP_ALLOWED_ORIGINS: originList.default([]),
  CONFORMANCE: z
    .enum(["0", "1"])
    .default("0")
    .transform((text) => text === "1"),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" })
    .optional(),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" })
    .optional(),
  DATABASE_POOL_SIZE: whole(1, 200).default(10),
  ENCRYPTION_KEY: encryptionKey.optional(),
  ENCRYPTION_KEY_PREVIOUS: z
    .string()
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .pipe(z.array(encryptionKey))
    .default([]),
  TRUSTED_PROXIES: networkList.default([]),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, "must have 16 characters or more, without spaces")
    .optional(),
  METRICS_PORT: whole(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  METRICS_TOP_N: whole(0, 100).default(0),
  ACCESS_LOG: z
    .enum(["0", "1"])
    .default("1")
    .transform((text) => text === "1"),
  SIGN_UP: z.enum(["open", "invited", "closed"]).default("invited"),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" })
    .optional(),
  MAIL_FROM: z.string().min(3).max(320).optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GITHUB_CLIENT_ID: z.string().min(1).optional(),
  GITHUB_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_ISSUER: address.optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z.string().min(1).max(40).default("Single sign-on"),
  OAUTH_REDIRECT_SCHEMES: schemeList.default([
    "cursor",
    "vscode",
    "vscode-insiders",
    "vscodium",
    "warp",
    "windsurf",
  ]),
  ...chatSettings,
  ...embeddingsSettings,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  LOG_FORMAT: z.enum(["auto", "json", "pretty"]).default("auto"),
  SANDBOX_ISOLATION: z.enum(["auto", "bwrap", "namespaces", "process"]).default("auto"),
  SANDBOX_MAX_PROCESSES: whole(1, 2_000).optional(),
  SANDBOX_IDLE_PROCESSES: whole(0, 64).default(2),
  SANDBOX_IDLE_TIMEOUT_MS: whole(0, 86_400_000).default(60_000),
  SANDBOX_CHILD_PROCESSES: whole(1, 2_000).optional(),
  SANDBOX_MAX_RUNS_PER_PROCESS: whole(1, 1_000_000).default(5_000),
  SANDBOX_MAX_PROCESS_AGE_MS: whole(1_000, 86_400_000).default(3_600_000),
  RUN_WAIT_MS: whole(0, 55_000).default(25_000),
  AGENT_OUTPUT_CHARACTERS: whole(1_000, 400_000).default(20_000),
  RUN_MAX_WALL_MS: whole(100, 86_400_000).default(900_000),
  RUN_MAX_CPU_MS: whole(50, 3_600_000).default(30_000),
  RUN_MAX_MEMORY_MB: whole(16, 4_096).default(256),
  RUN_MAX_OUTPUT_BYTES: whole(1_024, 64 * megabyte).default(6 * megabyte),
  RUN_MAX_LOG_BYTES: whole(0, 64 * megabyte).default(megabyte),
  RUN_CHILD_DEPTH: whole(0, 20).default(5),
  RUN_CHILDREN_MAX: whole(1, 100_000).default(100),
  RUN_CHILD_WAIT_MS: whole(100, 900_000).default(30_000),
  EGRESS_PRIVATE_HOSTS: hostList.default([]),
  EGRESS_HTTP2_HOSTS: hostList.default([]),
  EGRESS_MAX_PARALLEL_REQUESTS: whole(1, 1_000).default(20),
  EGRESS_MAX_REQUESTS: whole(0, 1_000_000).default(1_000),
  EGRESS_MAX_SENT_BYTES: whole(0, 1_024 ** 4).default(100 * megabyte),
  EGRESS_MAX_RECEIVED_BYTES: whole(0, 1_024 ** 4).default(100 * megabyte),
  EGRESS_CONNECT_TIMEOUT_MS: whole(100, 120_000).default(10_000),
  WORKSPACE_MAX_CONCURRENT_RUNS: whole(1, 10_000).default(16),
  NODE_MAX_CONCURRENT_RUNS: whole(1, 10_000).optional(),
  WORKSPACE_MAX_QUEUED_RUNS: whole(0, 1_000_000).default(1_000),
  MAX_QUEUED_RUNS: whole(0, 1_000_000).default(10_000),
  ...rateSettings,
  ...capSettings,
  ...concurrencySettings,
  ...connectionSettings,
  ...workerSettings,
  ...tracingSettings,
  FILE_STORAGE: z.enum(["local", "s3"]).default("local"),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default("us-east-1"),
  S3_ENDPOINT: address.optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_FORCE_PATH_STYLE: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true"),
  UPLOAD_MAX_BYTES: whole(1_024, 1_024 ** 4).default(100 * megabyte),
  RUN_MAX_SAVED_FILES: whole(0, 100_000).default(100),
  FILE_RETENTION_HOURS: whole(1, 876_000).default(168),
  BODY_MAX_BYTES: whole(1_024, 64 * megabyte).default(megabyte),
  ...buildSettings,
  SHUTDOWN_DELAY_MS: whole(0, 600_000).default(0),
  SHUTDOWN_GRACE_MS: whole(0, 600_000).default(20_000),
  AUDIT_SEAL_INTERVAL_MS: whole(50, 60_000).default(1_000),
  RUN_RETENTION_DAYS: whole(0, 36_500).default(90),
  RUN_LOG_RETENTION_DAYS: whole(0, 36_500).default(30),
  DRAFT_RETENTION_DAYS: whole(0, 36_500).default(90),
  AUDIT_RETENTION_DAYS: whole(0, 36_500).default(365),
  IDEMPOTENCY_RETENTION_MS: whole(1_000, 30 * 86_400_000).default(86_400_000),
});

/** Checks settings that depend on each other. */
function checkTogether({ value, issues }: z.core.ParsePayload<z.infer<typeof settings>>): void {
  const need = (name: keyof typeof value, when: string) => {
    if (value[name] !== undefined) return;
    issues.push({ code: "custom", path: [name], message: `must be set ${when}`, input: undefined });
  };
  if (value.ENCRYPTION_KEY_PREVIOUS.length > 0) need("ENCRYPTION_KEY", "with the previous ones");
  if ((value.SANDBOX_CHILD_PROCESSES ?? Infinity) < value.RUN_CHILD_DEPTH) {
    const message = "must be at least RUN_CHILD_DEPTH, because each depth needs a process";
    issues.push({
      code: "custom",
      path: ["SANDBOX_CHILD_PROCESSES"],
      message,
      input: undefined,
    });
  }
  if (value.DATABASE_DIRECT_URL !== undefined) need("DATABASE_URL", "with DATABASE_DIRECT_URL");
  if (value.FILE_STORAGE === "s3") need("S3_BUCKET", "for FILE_STORAGE=s3");
  for (const name of ["GOOGLE", "GITHUB", "OIDC"] as const) {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const;
    if (value[id] !== undefined) need(secret, `with ${id}`);
    if (value[secret] !== undefined) need(id, `with ${secret}`);
  }
  for (const app of chatApps) {
    if (!app.settings.some((name) => value[name] !== undefined)) continue;
    for (const name of app.settings) need(name, `with the other settings of the ${app.label}`);
  }
  if (value.METRICS_PORT === value.PORT && value.PORT !== 0) {
    const message = "must differ from PORT";
    issues.push({ code: "custom", path: ["METRICS_PORT"], message, input: undefined });
  }
  if (value.CHAT_MODEL_PROVIDER !== undefined) need("CHAT_MODEL", "with CHAT_MODEL_PROVIDER");
  if (value.CHAT_MODEL !== undefined) need("CHAT_MODEL_PROVIDER", "with CHAT_MODEL");
  if (value.CHAT_MODEL_PROVIDER === "anthropic") need("CHAT_MODEL_API_KEY", "for anthropic");
  if (value.EMBEDDINGS_URL !== undefined) need("EMBEDDINGS_MODEL", "with EMBEDDINGS_URL");
  if (value.EMBEDDINGS_MODEL !== undefined) need("EMBEDDINGS_URL", "with EMBEDDINGS_MODEL");
  if (value.OIDC_CLIENT_ID !== undefined) need("OIDC_ISSUER", "with OIDC_CLIENT_ID");
  if (value.OIDC_ISSUER !== undefined) need("OIDC_CLIENT_ID", "with OIDC_ISSUER");
  if (value.S3_ACCESS_KEY_ID !== undefined) need("S3_SECRET_ACCESS_KEY", "with S3_ACCESS_KEY_ID");
  if (value.S3_SECRET_ACCESS_KEY !== undefined) need("S3_ACCESS_KEY_ID", "with its secret");
}

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
 * follow from the memory. Throws `ConfigError` that lists every invalid value.
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
    throw new ConfigError(`Invalid configuration: ${wrong.join("; ")}. See .env.example.`);
  }
  const { BASE_URL, MCP_URL, ...rest } = parsed.data;
  const sizes = sizesFor(memoryBytes, rest.RUN_CHILD_DEPTH);
  if (rest.CONFORMANCE && given["NODE_ENV"] === "production") {
    throw new ConfigError(
      "CONFORMANCE=1 serves requests without authentication and is not allowed with NODE_ENV=production.",
    );
  }
  const baseUrl = BASE_URL ?? `http://localhost:${rest.PORT}`;
  return {
    ...rest,
    SANDBOX_MAX_PROCESSES: rest.SANDBOX_MAX_PROCESSES ?? sizes.SANDBOX_MAX_PROCESSES,
    SANDBOX_CHILD_PROCESSES: rest.SANDBOX_CHILD_PROCESSES ?? sizes.SANDBOX_CHILD_PROCESSES,
    BUILD_SLOTS: rest.BUILD_SLOTS ?? sizes.BUILD_SLOTS,
    memoryBytes,
    dataDir: resolve(rest.DATA_DIR),
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

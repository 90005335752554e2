import { z } from "zod";
import {
  address,
  corsOriginList,
  encryptionKey,
  flag,
  networkList,
  originList,
  schemeList,
  whole,
} from "./config-values.ts";

const postgresAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be a postgres:// address",
});

/** Where the service listens, and the addresses at which others reach it. */
export const networkSettings = {
  PORT: whole(0, 65_535).default(3000).describe("Port to listen on."),
  HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "Address to listen on. With `0.0.0.0` other machines can reach the server, and the `bwrap` sandbox is required unless `SANDBOX_ISOLATION` is set.",
    ),
  BASE_URL: address.optional().meta({
    description: "Public address for people.",
    unset: "`http://localhost:PORT`",
    example: "https://tools.example.com",
  }),
  MCP_URL: address.optional().meta({
    description: "Public address for agents.",
    unset: "`BASE_URL`",
    example: "https://mcp.example.com",
  }),
  MCP_ALLOWED_ORIGINS: originList.default([]).meta({
    description: "Origins whose pages can use MCP from a browser, comma-separated.",
    unset: "all; on a local server those of this machine",
    example: "https://app.example.com",
  }),
  CORS_ALLOWED_ORIGINS: corsOriginList.default([]).meta({
    description:
      "Origins whose pages can call the REST API with an API key, comma-separated; `*` for all. Cookies of other origins are never accepted.",
    unset: "none",
    example: "https://app.example.com",
  }),
  TRUSTED_PROXIES: networkList.default([]).meta({
    description:
      "Reverse proxies in front of this server, as comma-separated addresses or networks. `X-Forwarded-For` is trusted in their requests only.",
    example: "10.0.0.0/8",
  }),
  CONFORMANCE: flag("0").describe(
    "`1` serves the fixtures of the MCP conformance suite at `/conformance/mcp` without a key. For tests.",
  ),
};

/** The database, and the key that protects its secrets. */
export const databaseSettings = {
  DATA_DIR: z
    .string()
    .min(1)
    .default("./data")
    .describe(
      "Folder of the embedded database, keys and working files; `~/.toolhost` for the command `toolhost`.",
    ),
  DATABASE_URL: postgresAddress.optional().meta({
    description:
      "A PostgreSQL server (15 or later) instead of the embedded database. See [Connect to PostgreSQL](../operate/operate.md#connect-to-postgresql).",
    example: "postgres://user:password@localhost:5432/toolhost",
  }),
  DATABASE_DIRECT_URL: postgresAddress.optional().meta({
    description:
      "The PostgreSQL server itself, if `DATABASE_URL` is a pooler in transaction mode, such as PgBouncer: for migrations, and for messages between nodes.",
    unset: "`DATABASE_URL`",
    example: "postgres://user:password@localhost:5432/toolhost",
  }),
  DATABASE_POOL_SIZE: whole(1, 200)
    .default(10)
    .describe(
      "Database connections of each node, and one for messages. Statements share them under load.",
    ),
  ENCRYPTION_KEY: encryptionKey.optional().meta({
    description:
      "Encrypts all stored secrets: 32 bytes as 64 hex digits or base64, the same on every node.",
    unset: "created in `DATA_DIR/encryption.key`",
  }),
  ENCRYPTION_KEY_PREVIOUS: z
    .string()
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .pipe(z.array(encryptionKey))
    .default([])
    .describe(
      "Previous keys, comma-separated, used to decrypt only. See [Rotate the encryption key](../operate/operate.md#rotate-the-encryption-key).",
    ),
};

/** Who can sign up and how, and the emails of the service. */
export const signInSettings = {
  SIGN_UP: z
    .enum(["open", "invited", "closed"])
    .default("invited")
    .describe("Who can sign up once the server has an owner: everyone, invited people, or no one."),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" })
    .optional()
    .meta({
      description:
        "SMTP server for emails; `smtps://` uses TLS from the start. Without it, emails are written to the log, and invitation links are shown to the user who invites.",
      example: "smtp://user:password@mail.example.com:587",
    }),
  MAIL_FROM: z.string().min(3).max(320).optional().meta({
    description: "Sender of emails.",
    unset: "`no-reply@` the host of `BASE_URL`",
    example: "Toolhost <toolhost@example.com>",
  }),
  GOOGLE_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Sign-in with Google. Register the redirect URL `BASE_URL/api/auth/callback/google`.",
    ),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional().describe("Its secret."),
  GITHUB_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Sign-in with GitHub. Register the redirect URL `BASE_URL/api/auth/callback/github`.",
    ),
  GITHUB_CLIENT_SECRET: z.string().min(1).optional().describe("Its secret."),
  OIDC_ISSUER: address.optional().meta({
    description:
      "Sign-in with an OpenID Connect provider: the URL of its issuer. Register the redirect URL `BASE_URL/api/auth/callback/oidc`.",
    example: "https://login.example.com",
  }),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("Client ID at this provider."),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe("Its secret."),
  OIDC_NAME: z
    .string()
    .min(1)
    .max(40)
    .default("Single sign-on")
    .describe("Label of its sign-in button."),
  OAUTH_CLIENT_DOCUMENTS: flag("1").describe(
    "`1` lets MCP clients identify themselves by the URL of a metadata document, which this server fetches. With `0` they register instead: for servers without access to the internet.",
  ),
  OAUTH_REDIRECT_SCHEMES: schemeList
    .default(["cursor", "vscode", "vscode-insiders", "vscodium", "warp", "windsurf"])
    .describe(
      "Private URL schemes without a dot to which MCP clients can be redirected. They can always be redirected to https, to http on their own machine, and to schemes in reverse domain form, such as `com.example.app`.",
    ),
};

/** Logs and metrics. */
export const monitoringSettings = {
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Lowest level of log lines that are written."),
  LOG_FORMAT: z
    .enum(["auto", "json", "pretty"])
    .default("auto")
    .describe("`pretty` is text for people; `auto` is pretty in a terminal and JSON elsewhere."),
  ACCESS_LOG: flag("1").describe(
    "`1` writes one line to the log for each request, with the IDs of the request, its user, workspace and run, and the client's IP address.",
  ),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, "must have 16 characters or more, without spaces")
    .optional()
    .describe(
      "If set, `GET /metrics` requires this token as `Authorization: Bearer`; at least 16 characters. Without token and port, only programs on this machine can read it, and only while `HOST`, `BASE_URL` and `MCP_URL` are local. See [Monitor](../operate/operate.md#monitor).",
    ),
  METRICS_PORT: whole(0, 65_535).optional().meta({
    description:
      "Serves `/metrics` on a separate port, and on `PORT` only if `METRICS_TOKEN` is set.",
    example: "9464",
  }),
  METRICS_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address to listen on for `METRICS_PORT`."),
  METRICS_TOP_N: whole(0, 100)
    .default(0)
    .describe(
      "Adds [metrics](../operate/metrics.md) by workspace and by tool, for as many as this of those with the most runs or failures. The metrics then contain the names of tools. 0 adds none.",
    ),
  EVENT_LOOP_ALARM_MS: whole(0, 60_000)
    .default(250)
    .describe("Logs a warning when the event loop was delayed by this long; 0 is off."),
};

/** How the service stops. */
export const shutdownSettings = {
  SHUTDOWN_DELAY_MS: whole(0, 600_000)
    .default(0)
    .describe(
      "How long `/readyz` fails after SIGTERM before the port closes, so that load balancers notice.",
    ),
  SHUTDOWN_GRACE_MS: whole(0, 600_000)
    .default(20_000)
    .describe("How long running runs can continue after that."),
};

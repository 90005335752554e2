import { limit, whole } from "./config-values.ts";

const megabyte = 1024 * 1024;
const gigabyte = 1024 * megabyte;

/** Requests and runs in a time window; 0 turns a limit off. */
export const rateSettings = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: limit
    .default(600)
    .describe("Requests of one API key or connected app, or of all sessions of one user."),
  RATE_LIMIT_RUNS_PER_MINUTE: limit.default(300).describe("Runs of the same."),
  RATE_LIMIT_USER_REQUESTS_PER_MINUTE: limit
    .default(1_800)
    .describe("Requests of one user, with all keys, apps, sessions and workspaces."),
  RATE_LIMIT_USER_RUNS_PER_MINUTE: limit.default(900).describe("Runs of one user."),
  RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: limit
    .default(6_000)
    .describe("Requests in one workspace."),
  RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: limit.default(3_000).describe("Runs in one workspace."),
  RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: limit
    .default(1_200)
    .describe("Requests without a valid credential from one address."),
  RATE_LIMIT_BUILDS_PER_MINUTE: limit.default(300).describe("Builds in one workspace."),
  RATE_LIMIT_SIGN_INS_PER_MINUTE: limit.default(60).describe("Sign-ins from one address."),
  RATE_LIMIT_FAILED_SIGN_INS_PER_MINUTE: limit
    .default(10)
    .describe("Failed sign-ins of one account."),
  RATE_LIMIT_MAILS_PER_MINUTE: limit
    .default(20)
    .describe("Emails from one user, or to one address."),
  RATE_LIMIT_REGISTRATIONS_PER_MINUTE: limit
    .default(30)
    .describe("Registrations of apps from one address."),
  RATE_LIMIT_TOKEN_REQUESTS_PER_MINUTE: limit
    .default(300)
    .describe("Token requests from one address."),
  QUOTA_USER_RUNS_PER_DAY: limit.default(0).describe("Runs of one user per day (UTC)."),
  QUOTA_WORKSPACE_RUNS_PER_DAY: limit.default(0).describe("Runs in one workspace per day (UTC)."),
};

/** How many of something may exist; 0 turns a cap off. */
export const capSettings = {
  USER_MAX_WORKSPACES: limit.default(20).describe("Workspaces that one user owns."),
  USER_MAX_API_KEYS: limit.default(100).describe("Usable API keys of one user, in all workspaces."),
  USER_MAX_DRAFTS: limit.default(200).describe("Drafts of one user, in all workspaces."),
  USER_MAX_CREDENTIALS: limit
    .default(200)
    .describe("Credentials and connections of one user, in all workspaces."),
  USER_MAX_CONNECTION_ATTEMPTS: limit
    .default(50)
    .describe("Open attempts of one user to connect an account."),
  USER_MAX_CONNECTED_APPS: limit
    .default(100)
    .describe("Connected apps of one user, in all workspaces."),
  WORKSPACE_MAX_MEMBERS: limit.default(1_000).describe("Members of a workspace."),
  WORKSPACE_MAX_INVITATIONS: limit.default(200).describe("Pending invitations."),
  WORKSPACE_MAX_API_KEYS: limit.default(1_000).describe("Usable API keys of all members."),
  WORKSPACE_MAX_TOOLS: limit.default(1_000).describe("Tools that are not archived."),
  WORKSPACE_MAX_TOOL_BYTES: whole(0, 1_024 ** 5)
    .default(5 * gigabyte)
    .describe("Bytes of all stored versions of tools."),
  WORKSPACE_MAX_DRAFT_BYTES: whole(0, 1_024 ** 5)
    .default(gigabyte)
    .describe("Bytes of drafts and of their stored builds."),
  WORKSPACE_MAX_RUN_BYTES: whole(0, 1_024 ** 5)
    .default(20 * gigabyte)
    .describe(
      "Bytes of stored runs. From nine tenths on, the oldest runs are deleted, but none of the last day.",
    ),
  WORKSPACE_MAX_INSTALLED_TOOLS: limit
    .default(500)
    .describe("Installed tools of other workspaces."),
  WORKSPACE_MAX_CREDENTIALS: limit.default(500).describe("Shared credentials and connections."),
  WORKSPACE_MAX_CHAT_CONNECTIONS: limit.default(20).describe("Chat connections."),
  WORKSPACE_MAX_IMPORTS: limit
    .default(50)
    .describe("Imports: OpenAPI documents and MCP servers that tools come from."),
  WORKSPACE_MAX_WEBHOOKS: limit.default(20).describe("Webhooks."),
  WORKSPACE_MAX_ALERTS: limit.default(100).describe("Alerts."),
  WORKSPACE_MAX_FILES: limit.default(10_000).describe("Files."),
  WORKSPACE_MAX_FILE_BYTES: whole(0, 1_024 ** 5)
    .default(10 * gigabyte)
    .describe("Bytes of files."),
  OAUTH_MAX_CLIENTS: limit
    .default(10_000)
    .describe("Registered apps that no user has connected. New ones replace the oldest."),
  TOOL_MAX_VERSIONS: limit
    .default(1_000)
    .describe("Stored versions of one tool; the oldest unused ones are deleted."),
  DRAFT_MAX_BUILDS: limit
    .default(50)
    .describe("Stored builds of one draft; the oldest unused ones are deleted."),
};

/** How many operations may be in progress concurrently on one node; 0 turns a limit off. */
export const concurrencySettings = {
  USER_MAX_UPLOADS: limit.default(128).describe("Uploads of one user whose bytes are arriving."),
  WORKSPACE_MAX_UPLOADS: limit.default(256).describe("The same in one workspace."),
  USER_MAX_BODIES: limit
    .default(200)
    .describe("Request bodies of more than 64 KiB of one user that are arriving."),
  KEY_MAX_STREAMS: limit
    .default(50)
    .describe("Open event streams of one API key or app, or of one user's sessions."),
  USER_MAX_STREAMS: limit.default(100).describe("Open event streams of one user."),
  WORKSPACE_MAX_STREAMS: limit.default(200).describe("Open event streams of one workspace."),
  NODE_MAX_STREAMS: limit.default(5_000).describe("Open event streams of all workspaces."),
  USER_MAX_WAITS: limit.default(200).describe("Requests of one user that wait for a run."),
  NODE_MAX_WAITS: limit.default(10_000).describe("Requests of all users that wait for a run."),
  WORKSPACE_MAX_EXPORTS: limit.default(4).describe("Audit exports of one workspace."),
};

/** What requests and connections may cost; times are between signs of progress, never in total. */
export const connectionSettings = {
  BODY_MAX_BYTES: whole(1_024, 64 * megabyte)
    .default(megabyte)
    .describe("Size of a JSON request body."),
  HEADERS_TIMEOUT_MS: whole(1_000, 600_000)
    .default(20_000)
    .describe("Until request headers are complete."),
  KEEP_ALIVE_TIMEOUT_MS: whole(1_000, 3_600_000)
    .default(75_000)
    .describe("How long an idle connection stays open."),
  BODY_IDLE_TIMEOUT_MS: whole(0, 3_600_000)
    .default(20_000)
    .describe("How long a request body can pause; 0 is off."),
  BODY_GRACE_MS: whole(0, 3_600_000)
    .default(30_000)
    .describe("How long a request body can be slower than the minimum."),
  BODY_MIN_BYTES_PER_SECOND: whole(0, 1_000_000_000)
    .default(1_024)
    .describe("Minimum speed of a request body after that; 0 is off."),
  RESPONSE_IDLE_TIMEOUT_MS: whole(0, 3_600_000)
    .default(60_000)
    .describe("How long a client can leave a response unread; 0 is off."),
  USER_MAX_UNREAD_BYTES: whole(0, 1_024 ** 4)
    .default(128 * megabyte)
    .describe("Bytes of responses that the clients of one user leave unread; 0 is off."),
  MAX_CONNECTIONS: limit.default(20_000).describe("Concurrent connections; 0 is off."),
  ADDRESS_MAX_CONNECTIONS: limit
    .default(1_000)
    .describe(
      "Concurrent connections from one address other than loopback and `TRUSTED_PROXIES`; 0 is off.",
    ),
};

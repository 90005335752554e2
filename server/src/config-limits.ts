import { limit, whole } from "./config-values.ts";

const megabyte = 1024 * 1024;
const gigabyte = 1024 * megabyte;

/** Requests and runs in a time window; 0 turns a limit off. */
export const rateSettings = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: limit.default(600),
  RATE_LIMIT_RUNS_PER_MINUTE: limit.default(300),
  RATE_LIMIT_USER_REQUESTS_PER_MINUTE: limit.default(1_800),
  RATE_LIMIT_USER_RUNS_PER_MINUTE: limit.default(900),
  RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: limit.default(6_000),
  RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: limit.default(3_000),
  RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: limit.default(1_200),
  RATE_LIMIT_BUILDS_PER_MINUTE: limit.default(300),
  RATE_LIMIT_SIGN_INS_PER_MINUTE: limit.default(60),
  RATE_LIMIT_FAILED_SIGN_INS_PER_MINUTE: limit.default(10),
  RATE_LIMIT_MAILS_PER_MINUTE: limit.default(20),
  RATE_LIMIT_REGISTRATIONS_PER_MINUTE: limit.default(30),
  RATE_LIMIT_TOKEN_REQUESTS_PER_MINUTE: limit.default(300),
  QUOTA_USER_RUNS_PER_DAY: limit.default(0),
  QUOTA_WORKSPACE_RUNS_PER_DAY: limit.default(0),
};

/** How many of something may exist; 0 turns a cap off. */
export const capSettings = {
  USER_MAX_WORKSPACES: limit.default(20),
  USER_MAX_API_KEYS: limit.default(100),
  USER_MAX_DRAFTS: limit.default(200),
  USER_MAX_CREDENTIALS: limit.default(200),
  USER_MAX_CONNECTION_ATTEMPTS: limit.default(50),
  USER_MAX_CONNECTED_APPS: limit.default(100),
  WORKSPACE_MAX_MEMBERS: limit.default(1_000),
  WORKSPACE_MAX_INVITATIONS: limit.default(200),
  WORKSPACE_MAX_API_KEYS: limit.default(1_000),
  WORKSPACE_MAX_TOOLS: limit.default(1_000),
  WORKSPACE_MAX_TOOL_BYTES: whole(0, 1_024 ** 5).default(5 * gigabyte),
  WORKSPACE_MAX_DRAFT_BYTES: whole(0, 1_024 ** 5).default(gigabyte),
  WORKSPACE_MAX_RUN_BYTES: whole(0, 1_024 ** 5).default(20 * gigabyte),
  WORKSPACE_MAX_INSTALLED_TOOLS: limit.default(500),
  WORKSPACE_MAX_CREDENTIALS: limit.default(500),
  WORKSPACE_MAX_CHAT_CONNECTIONS: limit.default(20),
  WORKSPACE_MAX_FILES: limit.default(10_000),
  WORKSPACE_MAX_FILE_BYTES: whole(0, 1_024 ** 5).default(10 * gigabyte),
  OAUTH_MAX_CLIENTS: limit.default(10_000),
  TOOL_MAX_VERSIONS: limit.default(1_000),
  DRAFT_MAX_BUILDS: limit.default(50),
};

/** How many operations may be in progress concurrently on one node; 0 turns a limit off. */
export const concurrencySettings = {
  USER_MAX_UPLOADS: limit.default(128),
  WORKSPACE_MAX_UPLOADS: limit.default(256),
  USER_MAX_BODIES: limit.default(200),
  KEY_MAX_STREAMS: limit.default(50),
  USER_MAX_STREAMS: limit.default(100),
  WORKSPACE_MAX_STREAMS: limit.default(200),
  NODE_MAX_STREAMS: limit.default(5_000),
  USER_MAX_WAITS: limit.default(200),
  NODE_MAX_WAITS: limit.default(10_000),
  WORKSPACE_MAX_EXPORTS: limit.default(4),
};

/** What a connection may cost; times are between signs of progress, never in total. */
export const connectionSettings = {
  HEADERS_TIMEOUT_MS: whole(1_000, 600_000).default(20_000),
  KEEP_ALIVE_TIMEOUT_MS: whole(1_000, 3_600_000).default(75_000),
  BODY_IDLE_TIMEOUT_MS: whole(0, 3_600_000).default(20_000),
  BODY_GRACE_MS: whole(0, 3_600_000).default(30_000),
  BODY_MIN_BYTES_PER_SECOND: whole(0, 1_000_000_000).default(1_024),
  RESPONSE_IDLE_TIMEOUT_MS: whole(0, 3_600_000).default(60_000),
  USER_MAX_UNREAD_BYTES: whole(0, 1_024 ** 4).default(128 * megabyte),
  MAX_CONNECTIONS: limit.default(20_000),
  ADDRESS_MAX_CONNECTIONS: limit.default(1_000),
};

/** What building a tool may cost. */
export const buildSettings = {
  BUILD_TIMEOUT_MS: whole(1_000, 900_000).default(120_000),
  BUILD_MAX_MB: whole(1, 4_096).default(200),
  BUILD_MAX_FILES: whole(1, 1_000_000).default(60_000),
  BUILD_SLOTS: whole(1, 64).optional(),
  BUILD_CACHE_MAX_MB: whole(0, 1_048_576).default(1_024),
  WORKSPACE_MAX_QUEUED_BUILDS: whole(0, 100_000).default(100),
  BUNDLE_MAX_BYTES: whole(1_024, 64 * megabyte).default(4 * megabyte),
};

/** What checks schemas and inputs in other processes, and the alarm of the event loop. */
export const workerSettings = {
  EVENT_LOOP_ALARM_MS: whole(0, 60_000).default(250),
  WORKER_PROCESSES: whole(1, 64).default(2),
  WORKER_JOB_CPU_MS: whole(100, 60_000).default(2_000),
  WORKSPACE_WORKER_CPU_MS_PER_MINUTE: limit.default(20_000),
};

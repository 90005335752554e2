export { createClient } from "./client.ts";
export type { Client, Tools } from "./client.ts";
export type { ApiKeySource, ClientOptions } from "./options.ts";
export type { Fetch, FetchResponse } from "./fetch.ts";
export {
  ApiError,
  ConnectionError,
  isApiError,
  RunFailedError,
  TimeoutError,
  ToolhostError,
} from "./errors.ts";
export { bindTools } from "./bind-tools.ts";
export type { WithFiles } from "./bind-tools.ts";
export { createBatches } from "./batches.ts";
export type { Batches, BatchWaitOptions } from "./batches.ts";
export { createWebhooks } from "./webhooks.ts";
export type { Webhooks } from "./webhooks.ts";
export { verifyWebhook, WebhookVerificationError } from "./verify-webhook.ts";
export type { WebhookRequest } from "./verify-webhook.ts";
export type { CallOptions } from "./http.ts";
export type { FileData, Files, UploadOptions } from "./files.ts";
export type { RunEvent } from "./run-events.ts";
export type { RunOptions } from "./run-tool.ts";
export type { Runs, RunsQuery, StartOptions, WaitOptions } from "./runs.ts";
export type {
  ApiArguments,
  ApiItem,
  ApiRequest,
  ApiResponse,
  ApiRoute,
  ErrorCode,
  PagedPath,
} from "./api-call.ts";
export type {
  AnswerQuestionInput,
  Api,
  Credential,
  LogLine,
  Problem,
  Question,
  Run,
  RunBatch,
  RunResult,
  RunSummary,
  RunWebhookPayload,
  SearchResults,
  Skill,
  TestWebhookPayload,
  Tool,
  ToolDetail,
  UploadedFile,
  WebhookPayload,
} from "./api.ts";

export { auditEvent, auditInsert, byService } from "./audit/audit-event.ts";
export type { NamedEvent } from "./audit/event-names.ts";
export { exportAuditEvents, streamEventsOfUser } from "./audit/export-events.ts";
export { countAuditEvents, listAuditEvents } from "./audit/list-audit-events.ts";
export { sealEvents } from "./audit/seal-events.ts";
export { deleteOldEvents } from "./audit/delete-old-events.ts";
export { mergeSegments } from "./audit/merge-segments.ts";
export { verifyChains } from "./audit/verify-chain.ts";
export { verifyAuditLog } from "./audit/verify-audit-log.ts";
export type { Actor, Caller, RequestOrigin } from "./caller.ts";
export { credentialOf, noWorkspace } from "./caller.ts";
export type { BaseContext, NodeContext } from "./context.ts";
export { findResponse, serveAlone } from "./idempotency/find-response.ts";
export {
  commitWrite,
  lostKey,
  openIdempotencyHandle,
  releaseKey,
  retryWrite,
  saveResponse,
} from "./idempotency/open-handle.ts";
export {
  isKeyReserved,
  isKeyReservedColumn,
  reserveKey,
  reserveKeyValues,
} from "./idempotency/record-store.ts";
export type { StoredResponse, KeyedRequest } from "./idempotency/record.ts";
export { KeyTakenError, keyedRequest, recordIdOf } from "./idempotency/record.ts";
export { createLastUsed } from "./last-used.ts";
export {
  credentialRequestEmail,
  emailVerificationEmail,
  invitationEmail,
  passwordResetEmail,
} from "./mail/messages.ts";
export type { Mailer } from "./mail/mailer.ts";
export { createMailer } from "./mail/mailer.ts";
export { createCluster } from "./nodes/cluster.ts";
export { offlineAfterMs, heartbeat, heartbeatIntervalMs, leaveCluster } from "./nodes/heartbeat.ts";
export { isNodeLive } from "./nodes/is-node-live.ts";
export { findNodeKeys } from "./nodes/node-store.ts";
export { acquireTaskLock } from "./nodes/task-lock.ts";
export { hasTurn, msUntilTurn } from "./nodes/turns.ts";
export type { Right, Role } from "./roles.ts";
export { isRole, mayDo, mayManage, scopesOfRole, withArticle } from "./roles.ts";
export type { RunViewer } from "./run-visibility.ts";
export {
  findHiddenRuns,
  hideAncestors,
  cancelBatchedRuns,
  hideUnfinishedRuns,
  isRunVisible,
  othersPrivateTools,
} from "./run-visibility.ts";
export { notFound, workspaceNotFound } from "./not-found.ts";
export { ServiceError } from "./service-error.ts";
export { installedTitles, ownTitles } from "./tool-titles.ts";

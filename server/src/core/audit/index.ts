export type { AuditAction } from "./audit-event.ts";
export { auditEvent, auditInsert } from "./audit-event.ts";
export { listAuditEvents } from "./list-audit-events.ts";
export { sealEvents } from "./seal-events.ts";
export { trimEvents } from "./trim-events.ts";
export { exportAuditEvents } from "./export-events.ts";
export { verifyChain, verifyChains } from "./verify-chain.ts";
export { verifyTrail } from "./verify-trail.ts";

import { z } from "zod";

/** Response of `GET /audit-events/verification`. */
export const auditVerification = z
  .object({
    intact: z.boolean().meta({ description: "Whether all checked events are unaltered." }),
    complete: z.boolean().meta({
      description: "Whether the check reached the end of the chain. If not, continue with `after`.",
    }),
    next: z.int().nullable().meta({
      description: "The `after` parameter of the next request. Null at the end of the chain.",
    }),
    sealed: z
      .int()
      .meta({ description: "Events in the chain, excluding those deleted by retention." }),
    unsealed: z.int().meta({ description: "Recent events that are not in the chain yet." }),
    checked: z.int().meta({ description: "Sealed events that this request checked." }),
    trimmed: z
      .int()
      .meta({ description: "Events deleted from the start of the chain by retention." }),
    firstAt: z.iso.datetime().nullable().meta({ description: "Time of the oldest event." }),
    lastAt: z.iso.datetime().nullable().meta({ description: "Time of the newest event." }),
    problems: z.array(
      z.object({
        sequence: z.int().meta({ description: "Sequence number of the first invalid link." }),
        eventId: z.string().nullable(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: "AuditVerification", description: "Whether the audit log is unaltered." });
export type AuditVerification = z.infer<typeof auditVerification>;

/** Every action that the audit log records. Each route that changes something declares one. */
export type AuditAction =
  | "run.create"
  | "run.cancel"
  | "run.answer"
  | "run_batch.create"
  | "run_batch.cancel"
  | "tool.create"
  | "tool.update"
  | "tool.archive"
  | "tool.delete"
  | "tool.unarchive"
  | "tool.restore"
  | "tool.tag"
  | "credential.request"
  | "draft.create"
  | "draft.delete"
  | "api_key.create"
  | "api_key.revoke"
  | "connected_app.connect"
  | "connected_app.revoke"
  | "credential.create"
  | "credential.replace"
  | "credential.connect"
  | "credential.refresh_failed"
  | "credential.delete"
  | "encryption_key.rotate"
  | "tool.approve"
  | "tool.approval_withdraw"
  | "tool.always_allow"
  | "tool.always_allow_revoke"
  | "workspace.create"
  | "workspace.rename"
  | "workspace.configure"
  | "workspace.transfer"
  | "workspace.delete"
  | "member.join"
  | "member.change_role"
  | "member.leave"
  | "member.remove"
  | "invitation.create"
  | "invitation.revoke"
  | "account.sign_up"
  | "account.sign_in"
  | "account.sign_out"
  | "account.change"
  | "account.export"
  | "account.delete"
  | "session.revoke"
  | "tool.install"
  | "tool.uninstall"
  | "tool.accept_update"
  | "file.create"
  | "file.upload"
  | "file.delete"
  | "file.create_link"
  | "chat.connect"
  | "chat.change"
  | "chat.disconnect"
  | "chat.break"
  | "chat.link"
  | "chat.unlink"
  | "chat.retry"
  | "bridge.connect"
  | "bridge.disconnect"
  | "import.create"
  | "import.create_tools"
  | "import.check"
  | "import.changes_found"
  | "import.apply_changes"
  | "import.publish_drafts"
  | "import.rename"
  | "import.delete"
  | "webhook.create"
  | "webhook.change"
  | "webhook.delete"
  | "webhook.rotate_secret"
  | "webhook.test"
  | "webhook.requeue"
  | "webhook.disable"
  | "alert.create"
  | "alert.change"
  | "alert.delete"
  | "alert.test"
  | "audit.export"
  | "audit.trim";

/** The actions in the audit log of a workspace. Those on accounts have a chain of their own. */
export type WorkspaceAuditAction = Exclude<AuditAction, `account.${string}`>;

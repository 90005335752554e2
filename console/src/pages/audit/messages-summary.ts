import type { WorkspaceAuditAction } from "@toolhost/contract";
import { formatBytes } from "#lib/format";

/** What a summary is made of. */
export type EventFacts = {
  /** The name of the target, or its shortened ID. */
  target: string;
  /** A detail of the event as text; undefined if it is missing or null. */
  detail: (name: string) => string | undefined;
  /** The name of the member that the event is about, unless the actor is meant. */
  member: string | undefined;
  /** The name of the user in the detail `userId`, unless the actor is meant. */
  owner: string | undefined;
  /** The name of the user in the detail `to`. */
  recipient: string | undefined;
  /** The email address of a pending invitation. */
  invitee: string | undefined;
  /** The chat in the platform's words, such as "Slack workspace". */
  chat: string | undefined;
};

type Summarize = (facts: EventFacts) => string;

const join = (...parts: readonly (string | false | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== false && part !== "").join(", ");
const words = (list: string | undefined) => list?.split(" ").join(", ");

const target: Summarize = (facts) => facts.target;
const tool: Summarize = ({ target: name, detail }) => join(name, version(detail("version")));
const version = (number: string | undefined) =>
  number === undefined ? undefined : `version ${number}`;
/** An approval can apply to the credentials of both. */
const owner = (whose: string | undefined) =>
  whose
    ?.split(" ")
    .map((one) => (one === "workspace" ? "shared with the workspace" : "personal"))
    .join(" and ");

const named: Summarize = ({ detail }) => detail("name") ?? "";

const credential: Summarize = ({ detail }) =>
  join(
    detail("name"),
    owner(detail("owner")),
    detail("hosts") === undefined ? undefined : `sent to ${words(detail("hosts"))}`,
    detail("exposable") === "true" && "readable by code",
    detail("exposable") === "false" && "no longer readable by code",
  );
const connection: Summarize = ({ detail }) =>
  join(detail("name"), words(detail("scopes")), detail("reason"));
const chat: Summarize = ({ chat: place, detail }) => join(place, detail("team"));
const chatUser: Summarize = ({ detail }) =>
  join(detail("chatUser"), detail("how") === "email" && "by email address");
const of = (user: string | undefined) => (user === undefined ? undefined : `of ${user}`);
const app: Summarize = ({ owner: user, detail }) =>
  join(detail("client"), of(user), words(detail("scopes")), detail("reason"));
const toolCount = (count: string | undefined) =>
  count !== undefined && (count === "1" ? "1 tool" : `${count} tools`);
const imported: Summarize = ({ detail }) =>
  join(detail("host"), detail("publish") === "false" && "as drafts");
const webhook: Summarize = ({ detail }) =>
  join(
    detail("host"),
    words(detail("events")),
    toolCount(detail("tools")),
    detail("includeOutput") === "true" && "with outputs",
    detail("enabled") === "false" && "disabled",
    detail("reason") === "gone" && "responded with status 410",
    detail("reason") === "failing" && "failed for three days",
  );
const file: Summarize = ({ detail }) => {
  const size = detail("size");
  return join(detail("fileName"), size === undefined ? undefined : formatBytes(Number(size)));
};
const role = (name: string | undefined) =>
  name === undefined ? undefined : `with the role ${name}`;
const asRole: Summarize = ({ member, detail }) =>
  join(member, role(detail("role")), detail("reason"));
const days = (what: string, count: string | undefined) =>
  count === undefined ? `${what}: server default` : `${what}: ${count} days`;

/** What an event is about, after the label of its action. */
export const summaries = {
  "api_key.create": ({ detail }) => join(detail("name"), words(detail("scopes"))),
  "api_key.revoke": ({ target: id, owner: user, detail }) => join(detail("name") ?? id, of(user)),
  "audit.trim": ({ detail }) =>
    detail("count") === "1" ? "1 event" : `${detail("count") ?? 0} events`,
  "chat.break": chat,
  "chat.change": ({ detail }) =>
    detail("linkByEmail") === "true" ? "matches members by email" : "requires account links",
  "chat.connect": chat,
  "chat.disconnect": chat,
  "chat.link": chatUser,
  "chat.retry": target,
  "chat.unlink": chatUser,
  "connected_app.connect": app,
  "connected_app.revoke": app,
  "credential.connect": connection,
  "credential.create": credential,
  "credential.delete": credential,
  "credential.refresh_failed": connection,
  "credential.replace": credential,
  "draft.create": ({ detail }) => detail("toolName") ?? "new tool",
  "draft.delete": target,
  "encryption_key.rotate": ({ detail }) => `from ${detail("from")} to ${detail("to")}`,
  "file.create": file,
  "file.create_link": file,
  "file.delete": file,
  "file.upload": file,
  "invitation.create": ({ invitee, detail }) => join(invitee, role(detail("role"))),
  "invitation.revoke": ({ target: id, detail }) => join(role(detail("role")) ?? id),
  "member.change_role": ({ member, detail }) =>
    join(member, `from ${detail("from")} to ${detail("role")}`),
  "member.join": asRole,
  "member.leave": asRole,
  "member.remove": asRole,
  "run.answer": target,
  "run.cancel": target,
  "run.create": ({ detail }) =>
    detail("toolName")?.startsWith("draft-") === true
      ? "unpublished tool"
      : join(
          detail("toolName"),
          detail("draftId") === undefined && version(detail("toolVersion")),
          detail("credentials") !== undefined && `with ${words(detail("credentials"))}`,
        ),
  "run_batch.cancel": ({ detail }) => join(detail("toolName")),
  "run_batch.create": ({ detail }) => join(detail("toolName"), `${detail("runs")} runs`),
  "session.revoke": target,
  "tool.accept_update": ({ target: name, detail }) =>
    join(
      name,
      `from version ${detail("from")} to ${detail("version")}`,
      detail("automatic") === "true" && "automatically",
    ),
  "tool.always_allow": ({ target: name, detail }) => join(name, version(detail("version"))),
  "tool.always_allow_revoke": target,
  "tool.approval_withdraw": ({ target: name, detail }) =>
    join(name, detail("owner") === "workspace" ? "workspace credentials" : "personal credentials"),
  "tool.approve": ({ target: name, detail }) =>
    join(
      detail("draft") === "true" ? "draft" : join(name, version(detail("version"))),
      words(detail("credentials")),
      owner(detail("owner")),
      detail("how") === "save" && "by saving",
    ),
  "credential.request": target,
  "tool.tag": ({ target: name, detail }) => join(name, detail("tags") || "none"),
  "tool.restore": ({ target: name, detail }) =>
    join(name, `version ${detail("restoredFrom")} as version ${detail("version")}`),
  "tool.archive": target,
  "tool.create": tool,
  "tool.delete": target,
  "tool.install": tool,
  "tool.unarchive": ({ target: name, detail }) =>
    join(name, detail("approvals") === "withdrawn" && "approvals withdrawn"),
  "tool.uninstall": target,
  "tool.update": tool,
  "bridge.connect": ({ target: id, detail }) => detail("name") ?? id,
  "bridge.disconnect": target,
  "import.apply_changes": imported,
  "import.changes_found": imported,
  "import.check": imported,
  "import.create": imported,
  "import.create_tools": imported,
  "import.delete": imported,
  "import.publish_drafts": imported,
  "import.rename": ({ detail }) => join(detail("title")),
  "alert.change": named,
  "alert.create": named,
  "alert.delete": named,
  "alert.test": named,
  "webhook.change": webhook,
  "webhook.create": webhook,
  "webhook.delete": webhook,
  "webhook.disable": webhook,
  "webhook.requeue": webhook,
  "webhook.rotate_secret": webhook,
  "webhook.test": webhook,
  "workspace.create": ({ detail }) => detail("name") ?? "",
  "workspace.delete": ({ detail }) => detail("name") ?? "",
  "workspace.rename": ({ detail }) => `from ${detail("from")} to ${detail("name")}`,
  "workspace.configure": ({ detail }) =>
    join(
      days("runs", detail("runsDays")),
      days("logs", detail("logsDays")),
      detail("autoAcceptUpdates") !== undefined &&
        `automatic updates: ${detail("autoAcceptUpdates") === "true" ? "on" : "off"}`,
      detail("agentOutputCharacters") !== undefined &&
        `outputs for agents: ${detail("agentOutputCharacters")} characters`,
      detail("learnFromSearches") !== undefined &&
        `learning from searches: ${detail("learnFromSearches") === "true" ? "on" : "off"}`,
    ),
  "workspace.transfer": ({ recipient }) => `to ${recipient ?? ""}`,
  "audit.export": () => "",
} satisfies Record<WorkspaceAuditAction, Summarize>;

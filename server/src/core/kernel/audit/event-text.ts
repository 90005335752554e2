import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { othersPrivateTools } from "../run-visibility.ts";
import type { RunViewer } from "../run-visibility.ts";

/** A condition on a column, which contains the text in either case. */
function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

/** The IDs of the members of a workspace whose name or email address contains a text. */
export function membersAbout(workspaceId: string, text: string): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`select users.id from users join members on members.user_id = users.id
    where members.workspace_id = ${workspaceId}
      and (${contains("users.name", text)} or ${contains("users.email", text)})`;
}

/**
 * Whether an event is about a text: the name or email address of a member who did it or whom it concerns, the email address of a
 * pending invitation, the name or title of a tool, or a value in its details. Events whose details the viewer may not see never match, because that would reveal the details.
 */
export function isAbout(viewer: RunViewer, text: string): RawBuilder<boolean> {
  const { workspaceId, userId } = viewer;
  const like = (column: string) => contains(column, text);
  const people = membersAbout(workspaceId, text);
  const tools = sql`select tools.name from tools join tool_versions as live
    on live.tool_id = tools.id and live.version = tools.live_version
    where tools.workspace_id = ${workspaceId} and ${like("live.title")}`;
  const invited = sql`select invitations.id from invitations
    where invitations.workspace_id = ${workspaceId} and ${like("invitations.email")}`;
  return sql<boolean>`((private_to is null or private_to = ${userId} or user_id = ${userId})
    and (action not like 'tool.%' or user_id = ${userId}
      or target not in (${othersPrivateTools(viewer, "name")}))
    and (user_id in (${people}) or target in (${people}) or target in (${tools}) or target in (${invited})
      or ${like("target")} or ${like("details")}))`;
}

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Run } from "@toolhost/contract";
import type { ReactNode } from "react";
import { membersQuery, memberName } from "#api/members";
import { meQuery } from "#api/queries";
import { Badge, StatusBadge, When } from "#components/badges";
import { formatDuration } from "#lib/format";
import { viaLabels } from "#runs/via-labels.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.summary;

/** A run in one line: status, tool, version, person, source, time and duration. */
export function RunSummaryLine({ run, isToolHere }: { run: Run; isToolHere: boolean }): ReactNode {
  const { status, queued, toolName, toolVersion, draft, via, userId, createdAt, durationMs } = run;
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  return (
    <span className="ui-facts">
      <StatusBadge status={status} isQueued={queued} />
      {draft ? <Badge tone="warn">{messages.draft}</Badge> : null}
      {isToolHere ? (
        <span>
          <Link
            to="/tools/$name"
            params={{ name: toolName }}
            className="font-mono text-strong underline"
          >
            {toolName}
          </Link>
        </span>
      ) : toolName.startsWith("draft-") ? null : (
        <code className="font-mono">{toolName}</code>
      )}
      {draft ? null : <span>{messages.version(toolVersion)}</span>}
      <span>
        {memberName(members, me, userId)} {viaLabels[via]}, <When at={createdAt} />
      </span>
      {durationMs === null ? null : <span>{formatDuration(durationMs)}</span>}
      {run.feedback == null ? null : (
        <Badge tone={run.feedback === "good" ? "good" : "bad"}>
          {messages.feedback[run.feedback]}
        </Badge>
      )}
    </span>
  );
}

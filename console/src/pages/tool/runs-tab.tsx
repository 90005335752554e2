import { useQuery } from "@tanstack/react-query";
import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { membersQuery, memberName } from "#api/members";
import { listQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { EmptyState } from "#components/page";
import { DataTable } from "#components/data-table";
import { runColumns } from "#components/run-columns";
import { usePagedItems } from "#components/use-paged-items";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.runs;

const refreshMs = 4_000;

/** The runs of the tool that the user can see, newest first. */
export function RunsTab({ tool: { name, title } }: { tool: ToolDetail }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  const found = usePagedItems(listQuery("/runs", { query: { toolName: name } }), refreshMs);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex justify-end">
        <LinkButton to="/runs" search={{ toolName: name }} look="quiet">
          {messages.filter}
        </LinkButton>
      </div>
      <DataTable
        id="tool-runs"
        label={messages.list(title)}
        columns={runColumns((userId) => memberName(members, me, userId), { hasTools: false })}
        noun={messages.noun}
        found={found}
        idOf={({ runId }) => runId}
        empty={<EmptyState title={messages.emptyTitle}>{messages.empty}</EmptyState>}
      />
    </div>
  );
}

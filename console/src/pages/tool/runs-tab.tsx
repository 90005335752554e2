import { useQuery } from "@tanstack/react-query";
import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { membersQuery, memberName } from "#api/members";
import { listQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { EmptyState } from "#components/page";
import { PagedList } from "#components/paged-list";
import { RunRow } from "#components/run-row";

const refreshMs = 4_000;

/** The tool's runs that the person may see, newest first. */
export function RunsTab({ tool: { name, title } }: { tool: ToolDetail }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex justify-end">
        <LinkButton to="/runs" search={{ toolName: name }} look="quiet">
          Filter them
        </LinkButton>
      </div>
      <PagedList
        label={`Runs of ${title}`}
        query={listQuery("/runs", { query: { toolName: name } })}
        idOf={({ runId }) => runId}
        refreshMs={refreshMs}
        empty={
          <EmptyState title="It has not run yet">
            Each run stands here with its input, output, log and what it asked of whom, whether it
            came from here, a script, an agent or a chat.
          </EmptyState>
        }
      >
        {(run) => (
          <RunRow run={run} who={memberName(members, me, run.userId)} isToolShown={false} />
        )}
      </PagedList>
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { membersQuery, memberName } from "#api/members";
import { listQuery, meQuery } from "#api/queries";
import { Badge, When } from "#components/badges";
import { Button } from "#components/button";
import { EmptyState } from "#components/page";
import { PagedList } from "#components/paged-list";
import { VersionView } from "./version-view.tsx";
import { messages as allMessages } from "./messages-sharing.ts";

const messages = allMessages.versions;

const route = getRouteApi("/tools/$name");

/** The versions of the tool; or one of them, alone or compared with another. */
export function VersionsTab({
  tool,
  canRestore,
}: {
  tool: ToolDetail;
  canRestore: boolean;
}): ReactNode {
  const { version, with: other, line } = route.useSearch();
  const navigate = route.useNavigate();
  if (version !== undefined) {
    return (
      <VersionView
        key={version}
        tool={tool}
        version={version}
        other={other}
        line={line}
        canRestore={canRestore}
      />
    );
  }
  return (
    <VersionList
      tool={tool}
      onOpen={(one) =>
        void navigate({ search: (before) => ({ ...before, version: one, with: undefined }) })
      }
    />
  );
}

function VersionList({
  tool: { name, title },
  onOpen,
}: {
  tool: ToolDetail;
  onOpen: (version: number) => void;
}): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { data: members } = useQuery({
    ...membersQuery(me?.workspace.id ?? ""),
    enabled: me !== undefined,
  });
  return (
    <PagedList
      label={messages.list(title)}
      query={listQuery("/tools/{name}/versions", { params: { name } })}
      idOf={({ version }) => String(version)}
      itemHeight={62}
      empty={<EmptyState title={messages.emptyTitle}>{messages.empty}</EmptyState>}
    >
      {({ version, live, title: versionTitle, createdAt, createdBy, restoredFrom }) => (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
          <div className="min-w-0 flex-1 basis-48">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {messages.version(version)}
              {live ? <Badge tone="good">{messages.live}</Badge> : null}
              {restoredFrom === null ? null : <Badge>{messages.restoredFrom(restoredFrom)}</Badge>}
            </p>
            <p className="truncate text-sm text-soft">
              {memberName(members, me, createdBy)}, <When at={createdAt} />
              {versionTitle === title ? null : ` · ${versionTitle}`}
            </p>
          </div>
          <Button aria-label={messages.viewNamed(version)} onPress={() => onOpen(version)}>
            {messages.view}
          </Button>
        </div>
      )}
    </PagedList>
  );
}

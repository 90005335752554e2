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

const route = getRouteApi("/tools/$name");

/** Every save of the tool, and one of them as it was, or beside another. */
export function VersionsTab({
  tool,
  mayRestore,
}: {
  tool: ToolDetail;
  mayRestore: boolean;
}): ReactNode {
  const { version, with: other } = route.useSearch();
  const navigate = route.useNavigate();
  if (version !== undefined) {
    return (
      <VersionView
        key={version}
        tool={tool}
        version={version}
        other={other}
        mayRestore={mayRestore}
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
      label={`Versions of ${title}`}
      query={listQuery("/tools/{name}/versions", { params: { name } })}
      idOf={({ version }) => String(version)}
      itemHeight={62}
      empty={<EmptyState title="No versions">Each save of the tool stands here.</EmptyState>}
    >
      {({ version, live, title: then, createdAt, createdBy, restoredFrom }) => (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
          <div className="min-w-0 flex-1 basis-48">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              Version {version}
              {live ? <Badge tone="good">live</Badge> : null}
              {restoredFrom === null ? null : <Badge>as version {restoredFrom}</Badge>}
            </p>
            <p className="truncate text-sm text-soft">
              {memberName(members, me, createdBy)}, <When at={createdAt} />
              {then === title ? null : ` · ${then}`}
            </p>
          </div>
          <Button aria-label={`Look at version ${version}`} onPress={() => onOpen(version)}>
            Look
          </Button>
        </div>
      )}
    </PagedList>
  );
}

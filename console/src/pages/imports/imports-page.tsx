import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { Import } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery, listQuery, meQuery } from "#api/queries";
import { EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { PagedList } from "#components/paged-list";
import { FolderDialog } from "../import-folder/folder-dialog.tsx";
import { CreateImportDialog } from "./create-import-dialog.tsx";
import { ImportMenu } from "./import-menu.tsx";
import { ImportRow } from "./import-row.tsx";
import { messages } from "./messages.ts";

const route = getRouteApi("/imports");
const refreshMs = 15_000;

/** The imports of the workspace. With `tool` in the address, leads to the change of that tool. */
export function ImportsPage(): ReactNode {
  const { create, tool } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  const canBuild = me?.scopes.includes("tools:write") === true;
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={canBuild ? <ImportMenu look="primary" /> : undefined}
    >
      {tool === undefined || tool === "" ? null : <GoToChange toolName={tool} />}
      <PagedList
        label={messages.list}
        query={listQuery("/imports")}
        idOf={({ id }) => id}
        itemHeight={70}
        refreshMs={refreshMs}
        empty={
          <EmptyState icon={Import} title={messages.empty.title}>
            {canBuild ? messages.empty.body : messages.empty.forViewers}
          </EmptyState>
        }
      >
        {(one) => <ImportRow shown={one} />}
      </PagedList>
      {create === "folder" && canBuild ? (
        <FolderDialog onClose={() => void navigate({ search: {}, replace: true })} />
      ) : null}
      {create !== undefined && create !== "folder" && canBuild ? (
        <CreateImportDialog
          key={create}
          kind={create}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      ) : null}
    </Page>
  );
}

/** Refused runs link here, without knowing the import of the tool. */
function GoToChange({ toolName }: { toolName: string }): ReactNode {
  const { data, error, refetch } = useQuery(itemQuery("/imports", { query: { toolName } }));
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={1} />;
  const [found] = data;
  if (found === undefined) {
    return (
      <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
        {messages.noImportOfTool(toolName)}
      </p>
    );
  }
  return (
    <Navigate
      to="/imports/$importId"
      params={{ importId: found.id }}
      search={{ tab: "changes", tool: toolName }}
      replace
    />
  );
}

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { ApiProblem } from "#api/problem";
import { itemQuery, meQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { CodeBlock } from "#components/copy";
import { NotFoundWithLink } from "#components/not-found-page";
import { BackLink, Page, ProblemNote, Skeleton } from "#components/page";
import { Tabs } from "#components/tabs";
import { isBridge, kindOf, StatusBadge } from "../imports/import-row.tsx";
import { ChangesTab } from "./changes-tab.tsx";
import { ImportActions } from "./import-actions.tsx";
import { ImportFacts } from "./import-facts.tsx";
import { ItemsTab } from "./items-tab.tsx";
import { messages } from "./messages.ts";
import type { ImportTab } from "./search.ts";
import type { Selection } from "./selection.ts";

const route = getRouteApi("/imports/$importId");
const refreshMs = 15_000;

/** The page of one import: its state, what can be imported, and the changes to review. */
export function ImportPage(): ReactNode {
  const { importId: id } = route.useParams();
  const { data, error, refetch } = useQuery({
    ...itemQuery("/imports/{id}", { params: { id } }),
    refetchInterval: refreshMs,
  });
  if (data !== undefined) return <ImportView key={id} shown={data} />;
  if (error instanceof ApiProblem && error.status === 404) {
    return <NotFoundWithLink text={messages.notFound} to="/imports" />;
  }
  return (
    <Page title={messages.title}>
      {error === null ? <Skeleton /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

/** Why the last check failed. A bridge is started by its user, which is no failure. */
function Problem({ shown }: { shown: ImportResource }): ReactNode {
  const { kind, problem, url } = shown;
  if (problem === null) return null;
  if (isBridge(shown)) {
    const { title, body, command, copy } = messages.bridge;
    return (
      <div role="status" className="grid gap-2 rounded-lg bg-raised px-3 py-2 text-sm">
        <p className="font-medium">{title}</p>
        <p>{body}</p>
        <CodeBlock label={copy} code={command(url?.slice("bridge:".length) ?? "")} isWrapped />
      </div>
    );
  }
  return (
    <div role="status" className="rounded-lg bg-bad-soft px-3 py-2 text-sm">
      <p className="font-medium wrap-anywhere">{problem.replaceAll("`", "")}</p>
      <p>{messages.failing[kind]}</p>
    </div>
  );
}

function ImportView({ shown }: { shown: ImportResource }): ReactNode {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useQuery(meQuery);
  // The selection outlives filters and tabs.
  const [selection, setSelection] = useState<Selection>(new Map());
  const { kind, title, changeCount } = shown;
  const canBuild = me?.scopes.includes("tools:write") === true;
  const { tabs } = messages;
  return (
    <Page
      title={title}
      back={<BackLink to="/imports">{messages.all}</BackLink>}
      lead={
        <span className="flex gap-2">
          <Badge>{kindOf(shown)}</Badge>
          <StatusBadge shown={shown} />
        </span>
      }
      actions={<ImportActions shown={shown} canBuild={canBuild} />}
    >
      <Problem shown={shown} />
      <ImportFacts shown={shown} />
      <Tabs<ImportTab>
        label={tabs.label}
        selected={tab ?? "items"}
        onSelect={(id) => void navigate({ search: id === "items" ? {} : { tab: id } })}
        tabs={[
          {
            id: "items",
            label: tabs.items[kind],
            content: <ItemsTab {...{ shown, canBuild, selection, setSelection }} />,
          },
          {
            id: "changes",
            label: changeCount === 0 ? tabs.changes : tabs.changesCount(changeCount),
            content: <ChangesTab shown={shown} canBuild={canBuild} />,
          },
        ]}
      />
    </Page>
  );
}

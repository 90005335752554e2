import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useMemo, useRef } from "react";
import { itemQuery } from "#api/queries";
import { EmptyState, Page, ProblemNote, Skeleton } from "#components/page";
import { classes } from "#lib/class-names";
import { restoreFocus } from "#lib/restore-focus";
import { readDocument } from "./document.ts";
import type { Operation } from "./document.ts";
import { OperationList } from "./operation-list.tsx";
import { OperationView } from "./operation-view.tsx";
import { Overview } from "./overview.tsx";
import { messages } from "./messages.ts";

const route = getRouteApi("/reference");

/** The REST API reference: the operations of the OpenAPI document, with requests to try. */
export function ReferencePage(): ReactNode {
  const { data, error, refetch } = useQuery({
    ...itemQuery("/openapi.json"),
    // It changes only with the version of the service.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page
      title={messages.title}
      lead={
        <>
          {messages.lead}{" "}
          <a href="/openapi.json" className="text-strong underline">
            {location.origin}/openapi.json
          </a>
          {messages.leadEnd}
        </>
      }
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={6} />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Contents root={data} />
      )}
    </Page>
  );
}

function Contents({ root }: { root: JsonObject }): ReactNode {
  const { q = "", operation: id, tab = "docs" } = route.useSearch();
  const { operations } = useMemo(() => readDocument(root), [root]);
  const selected = operations.find((operation) => operation.id === id);
  const before = useRef(id);
  useEffect(() => {
    // On a narrow screen, the list with the pressed link is hidden.
    if (before.current !== id) restoreFocus();
    before.current = id;
  }, [id]);
  return (
    <div className="grid min-w-0 grid-cols-1 items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div
        data-scrolls
        className={classes(
          "min-w-0 gap-2 p-0.5 lg:sticky lg:top-4 lg:grid lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto",
          id === undefined ? "grid" : "hidden",
        )}
      >
        <OperationList operations={operations} selected={selected} q={q} />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-3">
        {id === undefined ? null : (
          <Link
            to="/reference"
            search={{ q }}
            className="flex min-h-6 items-center gap-1 justify-self-start text-sm text-strong lg:hidden"
          >
            <ArrowLeft size={14} aria-hidden />
            {messages.list.all}
          </Link>
        )}
        <Content {...{ root, id, selected, tab }} />
      </div>
    </div>
  );
}

type ContentProps = {
  root: JsonObject;
  id: string | undefined;
  selected: Operation | undefined;
  tab: "docs" | "try";
};

function Content({ root, id, selected, tab }: ContentProps): ReactNode {
  if (selected !== undefined) {
    return <OperationView key={selected.id} root={root} operation={selected} tab={tab} />;
  }
  if (id === undefined) return <Overview />;
  return (
    <EmptyState title={messages.operation.notFound}>
      <p>{messages.operation.notFoundText}</p>
    </EmptyState>
  );
}

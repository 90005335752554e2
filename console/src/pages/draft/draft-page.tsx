import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiProblem } from "#api/problem";
import { itemQuery } from "#api/queries";
import { BuilderRequired } from "#components/builder-required";
import { Page, ProblemNote, Skeleton } from "#components/page";
import { DraftNotFound } from "./draft-not-found.tsx";
import { loadDraft } from "./store/use-draft-store.ts";
import { Workbench } from "./workbench.tsx";

const route = getRouteApi("/drafts/$draftId");

/** Where a tool is made: its code, what it takes and gives, and runs of it beside. */
export function DraftPage(): ReactNode {
  const { draftId } = route.useParams();
  const { data, error, refetch } = useQuery({
    ...itemQuery("/drafts/{id}", { params: { id: draftId } }),
    queryFn: ({ signal }) => loadDraft(draftId, signal),
    // What is edited is held by the page itself; it is read once for each visit.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data !== undefined) return <Workbench key={data.id} draft={data} />;
  if (error instanceof ApiProblem && error.status === 404)
    return <DraftNotFound draftId={draftId} />;
  if (error instanceof ApiProblem && error.status === 403) return <BuilderRequired />;
  return (
    <Page title="Build">
      {error === null ? (
        <Skeleton lines={6} />
      ) : (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

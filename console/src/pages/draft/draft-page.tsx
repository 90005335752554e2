import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiProblem } from "#api/problem";
import { itemQuery } from "#api/queries";
import { RoleRequired } from "#components/role-required";
import { Page, ProblemNote, Skeleton } from "#components/page";
import { DraftNotFound } from "./draft-not-found.tsx";
import { messages } from "./messages.ts";
import { loadDraft } from "./store/use-draft-store.ts";
import { Workbench } from "./workbench.tsx";

const route = getRouteApi("/drafts/$draftId");

/** The editor of one draft: its code and settings, with a pane that runs it. */
export function DraftPage(): ReactNode {
  const { draftId } = route.useParams();
  const { data, error, refetch } = useQuery({
    ...itemQuery("/drafts/{id}", { params: { id: draftId } }),
    queryFn: ({ signal }) => loadDraft(draftId, signal),
    // The draft store holds the edited state, so a draft is read once for each visit.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data !== undefined) return <Workbench key={data.id} draft={data} />;
  if (error instanceof ApiProblem && error.status === 404)
    return <DraftNotFound draftId={draftId} />;
  if (error instanceof ApiProblem && error.status === 403) {
    return <RoleRequired page={messages.page.title} right="tools:write" />;
  }
  return (
    <Page title={messages.page.title}>
      {error === null ? (
        <Skeleton lines={6} />
      ) : (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

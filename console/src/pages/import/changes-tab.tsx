import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ImportChange, ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { listQuery } from "#api/queries";
import { Button, LinkButton } from "#components/button";
import { EmptyState, ProblemNote, Skeleton } from "#components/page";
import { ChangeCard } from "./change-card.tsx";
import { ConfirmChanges } from "./confirm-changes.tsx";
import { changeMessages as messages } from "./messages-changes.ts";
import { ReviewedBar } from "./reviewed-bar.tsx";
import { archives, discardsEdits, reviewId } from "./review.ts";
import type { Review, Reviews } from "./review.ts";
import { useApplyChanges } from "./use-apply-changes.ts";

const route = getRouteApi("/imports/$importId");
/** Each has two definitions, so a page is large. */
const pageSize = 20;

/** The tools that differ from the last check, with their differences. */
export function ChangesTab({
  shown,
  canBuild,
}: {
  shown: ImportResource;
  canBuild: boolean;
}): ReactNode {
  const { tool } = route.useSearch();
  if (!canBuild) return <p className="text-sm text-soft">{messages.buildersOnly}</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {tool === undefined ? null : (
        <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
          {messages.one(tool)}
          <LinkButton
            to="/imports/$importId"
            params={{ importId: shown.id }}
            search={{ tab: "changes" }}
          >
            {messages.showAll}
          </LinkButton>
        </p>
      )}
      <Changes key={tool ?? ""} shown={shown} toolName={tool} />
    </div>
  );
}

function Changes({
  shown,
  toolName,
}: {
  shown: ImportResource;
  toolName: string | undefined;
}): ReactNode {
  const { id, kind } = shown;
  const query = { limit: pageSize, ...(toolName === undefined ? {} : { toolName }) };
  const found = useInfiniteQuery(listQuery("/imports/{id}/changes", { params: { id }, query }));
  const [reviews, setReviews] = useState<Reviews>({});
  const [confirming, setConfirming] = useState<readonly ImportChange[]>([]);
  const reviewOf = (change: ImportChange) => reviews[reviewId(change)] ?? {};
  const review = (change: ImportChange, next: Review) =>
    setReviews((now) => ({ ...now, [reviewId(change)]: next }));
  const apply = useApplyChanges(id, reviewOf, (change, draftId) =>
    review(change, { ...reviewOf(change), draftId }),
  );
  const start = (chosen: readonly ImportChange[], publish: boolean) => {
    // Publishing replaces the edits of a tool; a draft combines them with the change.
    const isAsked = chosen.some((change) => discardsEdits(change) || archives(change));
    if (publish && isAsked) setConfirming(chosen);
    else apply.mutate({ changes: chosen, publish });
  };
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  if (error !== null && data === undefined) {
    return <ProblemNote error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton lines={4} />;
  const changes = data.pages.flatMap(({ items }) => items);
  if (changes.length === 0) {
    return (
      <EmptyState title={messages.empty.title}>
        {toolName === undefined ? messages.empty.body[kind] : messages.oneEmpty(toolName)}
      </EmptyState>
    );
  }
  const marked = changes.filter((change) => reviewOf(change).isReviewed === true);
  return (
    <>
      {changes.some(({ isOnHold }) => isOnHold) ? (
        <div role="note" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          <p className="font-medium">{messages.hold.title}</p>
          <p>{messages.hold.body}</p>
        </div>
      ) : null}
      <ReviewedBar
        reviewed={marked}
        isPending={apply.isPending}
        onApply={(publish) => start(marked, publish)}
      />
      <ul aria-label={messages.list} className="grid min-w-0 grid-cols-1 gap-4">
        {changes.map((change) => (
          <li key={change.toolName} className="min-w-0">
            <ChangeCard
              change={change}
              kind={kind}
              review={reviewOf(change)}
              onReview={(next) => review(change, next)}
              isPending={apply.isPending && apply.variables.changes.includes(change)}
              onApply={(publish) => start([change], publish)}
            />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Button
          isPending={isFetchingNextPage}
          onPress={() => void fetchNextPage()}
          className="justify-self-center"
        >
          {messages.showMore}
        </Button>
      ) : null}
      <ConfirmChanges
        changes={confirming}
        onClose={() => setConfirming([])}
        onConfirm={(chosen) => apply.mutateAsync({ changes: chosen, publish: true })}
      />
    </>
  );
}

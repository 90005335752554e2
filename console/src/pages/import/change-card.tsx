import { Link } from "@tanstack/react-router";
import type { ImportChange, ImportKind } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { Button, LinkButton } from "#components/button";
import { Differences } from "#components/differences";
import { Checkbox } from "#components/fields";
import { ChangeBadge } from "./change-badge.tsx";
import { CombinedChange } from "./combined-change.tsx";
import { changeMessages as messages } from "./messages-changes.ts";
import { openParts } from "./review.ts";
import type { Review } from "./review.ts";
import { Name } from "#components/name";

type Props = {
  change: ImportChange;
  kind: ImportKind;
  review: Review;
  onReview: (review: Review) => void;
  isPending: boolean;
  /** `publish` applies the change, otherwise a draft of it is created. */
  onApply: (publish: boolean) => void;
};

/** One changed tool: what differs, and what can be done about it. */
export function ChangeCard({
  change,
  kind,
  review,
  onReview,
  isPending,
  onApply,
}: Props): ReactNode {
  const { toolName, isEdited, before, after } = change;
  const isRemoved = change.kind === "removed";
  const canApply = isRemoved || after !== null;
  const isOpen = openParts(change, review.picks).length > 0;
  const draftId = review.draftId ?? change.draftId;
  return (
    <section
      aria-label={toolName}
      className="grid min-w-0 grid-cols-1 gap-3 rounded-xl border border-line bg-paper p-4"
    >
      <ChangeHeader change={change} />
      {isRemoved ? <p className="text-sm">{messages.removed[kind]}</p> : null}
      {isEdited && after !== null ? (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          {messages.editedWarning}
          {change.generated === null ? ` ${messages.unknownEdits}` : null}
        </p>
      ) : null}
      <Notes change={change} />
      {after === null ? null : isEdited ? (
        <CombinedChange
          change={{ ...change, after }}
          picks={review.picks ?? {}}
          onPick={(picks) => onReview({ ...review, picks })}
        />
      ) : (
        <Differences before={before} after={after} />
      )}
      {draftId === null ? null : (
        <p role="status" className="flex flex-wrap items-center gap-3 text-sm">
          {messages.draftCreated}
          <LinkButton to="/drafts/$draftId" params={{ draftId }}>
            {messages.openDraft}
          </LinkButton>
        </p>
      )}
      {canApply ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Checkbox
            isSelected={review.isReviewed === true}
            onChange={(isReviewed) => onReview({ ...review, isReviewed })}
          >
            <span aria-hidden>{messages.reviewed}</span>
            <span className="sr-only">{messages.reviewedOf(toolName)}</span>
          </Checkbox>
          <div className="flex flex-wrap items-center gap-2">
            {isOpen ? <span className="text-sm text-soft">{messages.pickFirst}</span> : null}
            {isRemoved ? (
              <Button
                look="danger"
                isPending={isPending}
                aria-label={messages.archiveOf(toolName)}
                onPress={() => onApply(true)}
              >
                {messages.archive}
              </Button>
            ) : (
              <>
                {draftId === null ? (
                  <Button
                    look={isEdited ? "primary" : "plain"}
                    isPending={isPending}
                    isDisabled={isOpen}
                    aria-label={
                      isEdited ? messages.combinedDraftOf(toolName) : messages.draftOf(toolName)
                    }
                    onPress={() => onApply(false)}
                  >
                    {isEdited ? messages.combinedDraft : messages.draft}
                  </Button>
                ) : null}
                <Button
                  look={isEdited ? "plain" : "primary"}
                  isPending={isPending}
                  aria-label={messages.applyOf(toolName)}
                  onPress={() => onApply(true)}
                >
                  {messages.apply}
                </Button>
              </>
            )}
          </div>
        </div>
      ) : null}
    </section>
  );
}

function ChangeHeader({
  change: { key, kind, toolName, isEdited, isOnHold, before },
}: {
  change: ImportChange;
}): ReactNode {
  const title = typeof before["title"] === "string" ? before["title"] : toolName;
  return (
    <div className="min-w-0">
      <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/tools/$name"
          params={{ name: toolName }}
          className="min-w-0 rounded-sm font-semibold wrap-anywhere hover:underline"
        >
          <Name>{title}</Name>
        </Link>
        <ChangeBadge kind={kind} />
        {isOnHold ? <Badge tone="warn">{messages.onHold}</Badge> : null}
        {isEdited ? <Badge>{messages.edited}</Badge> : null}
      </h2>
      <p className="font-mono text-xs wrap-anywhere text-soft">
        {toolName} · <bdi>{key}</bdi>
      </p>
    </div>
  );
}

function Notes({ change: { after, kind, notes } }: { change: ImportChange }): ReactNode {
  if (notes.length === 0) return null;
  const isProblem = after === null && kind === "changed";
  return (
    <div className="text-sm">
      <h3 className={isProblem ? "text-bad" : "text-soft"}>
        {isProblem ? messages.notMade : messages.notes}
      </h3>
      <ul className="list-disc pl-5">
        {notes.map((note) => (
          <li key={note} className="wrap-anywhere">
            {note}
          </li>
        ))}
      </ul>
    </div>
  );
}

import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { lazy } from "react";
import { Skeleton } from "#components/page";
import { definitionOf } from "#lib/definition";
import { ownValue } from "#lib/own-value";
import { sourceOf, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { LazyPart } from "#components/lazy-part";
import { Differences } from "./differences.tsx";
import { messages as allMessages } from "./messages.ts";
import { settingsDifferences } from "./settings-differences.ts";

const DiffView = lazy(() => import("../editor/diff-view.tsx"));

const messages = allMessages.changes;

const visibilities: Readonly<Record<string, string>> = messages.visibilities;

/** What publishing changes for others. */
export function Changes({
  live,
  isPending,
}: {
  live: ToolDetail | undefined;
  isPending: boolean;
}): ReactNode {
  const { draft, definition } = useDraft();
  if (isPending) return <Skeleton lines={3} />;
  if (live === undefined) {
    if (draft.toolName !== null) return null;
    return (
      <p className="text-sm text-soft">
        {messages.newTool}{" "}
        {ownValue(visibilities, textAt(definition, "visibility")) ??
          messages.visibilities.workspace}{" "}
        {messages.changeVisibility}
      </p>
    );
  }
  const before = definitionOf(live);
  const old = sourceOf(before);
  const mine = sourceOf(definition);
  const differences = settingsDifferences(before, definition);
  const isSameCode = old.code === mine.code;
  return (
    <section aria-label={messages.title} className="grid gap-3">
      <h3 className="font-medium">{messages.title}</h3>
      {isSameCode ? (
        <p className="text-sm text-soft">{messages.sameCode}</p>
      ) : (
        <LazyPart>
          <DiffView
            before={old.code}
            after={mine.code}
            beforeLabel={messages.live(live.version)}
            afterLabel={messages.draft}
            language={mine.language}
          />
        </LazyPart>
      )}
      {differences.length === 0 ? (
        <p className="text-sm text-soft">{messages.sameSettings}</p>
      ) : (
        <Differences
          differences={differences}
          beforeLabel={messages.version(live.version)}
          afterLabel={messages.draft}
        />
      )}
    </section>
  );
}

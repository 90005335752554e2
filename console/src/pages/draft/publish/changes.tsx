import type { ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { lazy } from "react";
import { Skeleton } from "#components/page";
import { definitionOf } from "#lib/definition";
import { sourceOf, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { LazyPart } from "#components/lazy-part";
import { Differences } from "./differences.tsx";
import { settingsDifferences } from "./settings-differences.ts";

const DiffView = lazy(() => import("../editor/diff-view.tsx"));

const audiences: Readonly<Record<string, string>> = {
  private: "Only you can see and run it.",
  workspace: "Everybody in this workspace, and their agents, can run it at once.",
  public: "Everybody on this server, and their agents, can run it at once.",
};

/** What publishing changes for everybody. */
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
        It becomes a tool of this workspace, with a name made of its title.{" "}
        {audiences[textAt(definition, "visibility")] ?? audiences["workspace"]} You choose that in
        Details.
      </p>
    );
  }
  const before = definitionOf(live);
  const old = sourceOf(before);
  const mine = sourceOf(definition);
  const differences = settingsDifferences(before, definition);
  const isSameCode = old.code === mine.code;
  return (
    <section aria-label="What changes" className="grid gap-3">
      <h3 className="font-medium">What changes</h3>
      {isSameCode ? (
        <p className="text-sm text-soft">The code is the same.</p>
      ) : (
        <LazyPart>
          <DiffView
            before={old.code}
            after={mine.code}
            beforeLabel={`Version ${live.version}, live`}
            afterLabel="This draft"
            language={mine.language}
          />
        </LazyPart>
      )}
      {differences.length === 0 ? (
        <p className="text-sm text-soft">All else is the same.</p>
      ) : (
        <Differences
          differences={differences}
          beforeLabel={`Version ${live.version}`}
          afterLabel="This draft"
        />
      )}
    </section>
  );
}

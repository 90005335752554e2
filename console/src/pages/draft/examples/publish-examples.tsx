import type { ReactNode } from "react";
import { objectsAt, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { ExampleOutcome, ResultBadge } from "./example-outcome.tsx";
import { messages as allMessages } from "./messages.ts";
import { RunExamples } from "./run-examples.tsx";
import { useShownRuns } from "./use-current-results.ts";

const messages = allMessages.results;

/** The examples in the publish dialog: runs them, and lists the results. A single failure is open, several are collapsed. */
export function PublishExamples({ onGo }: { onGo: () => void }): ReactNode {
  const { definition } = useDraft();
  const runs = useShownRuns();
  const examples = objectsAt(definition, "examples");
  if (examples.length === 0) return null;
  const isOnlyFailure = runs.results.filter((run) => run?.status === "failed").length === 1;
  return (
    <section aria-label={messages.title} className="grid gap-3">
      <h3 className="font-medium">{messages.title}</h3>
      <RunExamples onGo={onGo} />
      {runs.results.map((run, at) => {
        if (run === undefined) return null;
        const heading = allMessages.panel.heading(at + 1);
        const name = textAt(examples[at] ?? {}, "name");
        return (
          <details
            // An example has no ID, so its index is the key.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            open={isOnlyFailure && run.status === "failed"}
            className="rounded-lg border border-line px-3 py-2"
          >
            <summary className="cursor-pointer text-sm">
              <ResultBadge status={run.status} /> {heading}
              {name === "" ? "" : `: ${name}`}
            </summary>
            <div className="mt-2">
              <ExampleOutcome
                at={at}
                run={run}
                hasBadge={false}
                isOutdated={runs.examples[at] !== examples[at]}
              />
            </div>
          </details>
        );
      })}
    </section>
  );
}

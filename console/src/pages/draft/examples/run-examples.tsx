import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { DefinitionProblems } from "../definition/definition-problems.tsx";
import { useDraft } from "../draft-context.ts";
import { useRunContext } from "../run/run-context.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.results;

/** Runs all examples, and lists the counts of earlier times. `onGo` is called before the tab of a problem opens. */
export function RunExamples({ onGo }: { onGo?: () => void }): ReactNode {
  const { draft } = useDraft();
  const { examples } = useRunContext();
  const { results, remaining, problems, start } = examples;
  const { data: history = [] } = useQuery(
    itemQuery("/drafts/{id}/example-results", { params: { id: draft.id } }),
  );
  const count = (status: string) => (results ?? []).filter((one) => one.status === status).length;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button isPending={remaining > 0} onPress={start}>
          <FlaskConical size={16} aria-hidden />
          {messages.run}
        </Button>
        <p role="status" className="text-sm">
          {remaining > 0
            ? messages.remaining(remaining)
            : results === undefined
              ? ""
              : messages.summary(count("passed"), count("failed"), count("skipped"))}
        </p>
      </div>
      <p className="text-sm text-soft">{messages.warning}</p>
      {problems.length === 0 ? null : (
        <DefinitionProblems problems={problems} {...(onGo === undefined ? {} : { onGo })} />
      )}
      {history.length === 0 ? null : (
        <details className="text-sm">
          <summary className="cursor-pointer text-soft">{messages.history}</summary>
          <ul className="mt-1 grid gap-1">
            {history.map(({ at, passed, failed, skipped }) => (
              <li key={at}>
                <When at={at} />: {messages.summary(passed, failed, skipped)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

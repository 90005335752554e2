import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { itemQuery } from "#api/queries";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.run;

/** Links to the user's latest run of the tool that waits for an answer, such as after the page was reloaded. */
export function OpenQuestion({ toolName }: { toolName: string }): ReactNode {
  const query = { toolName, status: "running", userId: "me", limit: 10 } as const;
  const { data: runs = [] } = useQuery(itemQuery("/runs", { query }));
  const asking = runs.find(({ question }) => question !== undefined);
  if (asking === undefined) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-xl border border-line bg-strong-soft px-4 py-2 text-sm">
      <p role="status">{messages.openQuestion}</p>
      <Link
        to="/runs/$runId"
        params={{ runId: asking.runId }}
        className="text-strong font-medium underline"
      >
        {messages.answerQuestion}
      </Link>
    </div>
  );
}

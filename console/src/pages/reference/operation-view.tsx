import { useNavigate } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/tool-schema/json";
import type { ReactNode } from "react";
import { Badge } from "#components/badges";
import { CopyButton } from "#components/copy";
import { Tabs } from "#components/tabs";
import type { Operation } from "./document.ts";
import { DocumentationTab } from "./documentation-tab.tsx";
import { InlineText } from "./inline-text.tsx";
import { MethodLabel } from "./method-label.tsx";
import type { ReferenceTab } from "./search.ts";
import { TryTab } from "./try-tab.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.operation;

/** One operation: what it does, takes and returns, and a form to try it. */
export function OperationView({
  root,
  operation,
  tab,
}: {
  root: JsonObject;
  operation: Operation;
  tab: ReferenceTab;
}): ReactNode {
  const navigate = useNavigate({ from: "/reference" });
  const { id, method, path, summary, description, access } = operation;
  const docs = <DocumentationTab root={root} operation={operation} />;
  return (
    <article className="grid min-w-0 grid-cols-1 gap-4" aria-labelledby="operation-title">
      <header className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="operation-title" className="text-lg font-semibold">
            {summary}
          </h2>
          <CopyButton text={addressOf(id)} label={messages.copyLink} />
        </div>
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          <MethodLabel method={method} />
          <code className="font-mono text-xs">
            {access === "webhook" ? path : `/api/v1${path}`}
          </code>
          <Badge>{messages.access[access]}</Badge>
        </p>
        {description === "" ? null : (
          <p className="max-w-prose text-soft">
            <InlineText text={description} />
          </p>
        )}
      </header>
      {access === "webhook" ? (
        docs
      ) : (
        <Tabs<ReferenceTab>
          label={messages.tabs}
          selected={tab}
          onSelect={(selected) =>
            void navigate({
              search: (before) => ({ ...before, tab: selected === "docs" ? undefined : selected }),
              replace: true,
              resetScroll: false,
            })
          }
          tabs={[
            { id: "docs", label: messages.docs, content: docs },
            {
              id: "try",
              label: messages.try,
              content: <TryTab root={root} operation={operation} />,
              isKept: true,
            },
          ]}
        />
      )}
    </article>
  );
}

/** The link to an operation. It does not contain the search. */
function addressOf(id: string): string {
  return `${location.origin}/reference?operation=${encodeURIComponent(id)}`;
}

import type { ReactNode } from "react";
import { useId, useState } from "react";
import { CodeBlock } from "#components/copy";
import { TabPanel } from "#components/tab-panel";
import { TabList } from "#components/tabs";
import type { Operation } from "./document.ts";
import type { PreparedRequest } from "./request.ts";
import { snippetsOf } from "./snippets.ts";
import type { Snippet, SnippetOptions } from "./snippets.ts";
import { messages } from "./messages.ts";

/** The language that the user selected last, for the next operation. */
let lastLanguage: Snippet["id"] = "curl";

/** A request as code, in the language that the user selects. */
export function CodeTabs({
  request,
  operation,
}: {
  request: PreparedRequest;
  operation: Operation;
}): ReactNode {
  const group = useId();
  const [language, setLanguage] = useState(lastLanguage);
  const snippets = snippetsOf(request, {
    hasKey: operation.access === "key",
    response: responseOf(request, operation),
  });
  return (
    <div className="min-w-0">
      <TabList
        group={group}
        label={messages.operation.exampleLabel}
        tabs={snippets}
        selected={language}
        onSelect={(id) => {
          lastLanguage = id;
          setLanguage(id);
        }}
        className="mb-3"
      />
      {snippets.map(({ id, label, code }) =>
        id === language ? (
          <TabPanel key={id} group={group} id={id} isSelected>
            <CodeBlock code={code} label={label} isWrapped />
          </TabPanel>
        ) : null,
      )}
    </div>
  );
}

function responseOf(
  { headers }: PreparedRequest,
  { answers }: Operation,
): SnippetOptions["response"] {
  const accept = headers.find(([name]) => name === "Accept")?.[1];
  const mediaType = accept ?? answers.flatMap(({ bodies }) => bodies)[0]?.mediaType;
  if (mediaType === undefined) return "none";
  return mediaType === "application/json" ? "json" : "text";
}

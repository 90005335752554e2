import type { ToolDetail, ToolSource, ToolVersionDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/copy";
import { Card } from "#components/page";
import { prettyJson } from "#lib/json";
import { settingsOf } from "./settings.ts";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.source;

/** The source code and the settings of a tool, read-only. */
export function SourceTab({
  tool,
  source,
  line,
}: {
  tool: ToolDetail | ToolVersionDetail;
  source: ToolSource;
  /** The line to scroll to and mark. */
  line?: number | undefined;
}): ReactNode {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <CodeBlock label={messages[source.language]} code={source.code}>
        <MarkedCode code={source.code} line={line} />
      </CodeBlock>
      <Card title={messages.settings}>
        <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[12rem_minmax(0,1fr)]">
          {settingsOf(tool).map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="text-soft">{label}</dt>
              <dd>
                {typeof value === "string" ? (
                  value
                ) : (
                  <pre className="overflow-x-auto font-mono text-xs whitespace-pre-wrap">
                    {prettyJson(value)}
                  </pre>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <CodeBlock label={messages.inputSchema} code={prettyJson(tool.inputSchema)} />
      <CodeBlock label={messages.outputSchema} code={JSON.stringify(tool.outputSchema, null, 2)} />
    </div>
  );
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: "center" });

function MarkedCode({ code, line }: { code: string; line: number | undefined }): ReactNode {
  const lines = code.split("\n");
  if (line === undefined || line > lines.length) return code;
  const before = lines.slice(0, line - 1);
  return (
    <>
      {before.map((one) => `${one}\n`).join("")}
      <mark
        key={line}
        ref={scrollTo}
        aria-label={messages.line(line)}
        className="block bg-warn-soft text-text"
      >
        {lines[line - 1] || " "}
      </mark>
      {lines.slice(line).join("\n")}
    </>
  );
}

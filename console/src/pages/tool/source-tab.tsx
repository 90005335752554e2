import type { ToolDetail, ToolSource, ToolVersionDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/copy";
import { Card } from "#components/page";
import { prettyJson } from "#lib/json";
import { settingsOf } from "./settings.ts";

/** What the author wrote, to be read. */
export function SourceTab({
  tool,
  source,
}: {
  tool: ToolDetail | ToolVersionDetail;
  source: ToolSource;
}): ReactNode {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <CodeBlock
        label={source.language === "typescript" ? "TypeScript" : "JavaScript"}
        code={source.code}
      />
      <Card title="Settings">
        <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[12rem_minmax(0,1fr)]">
          {settingsOf(tool).map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="text-soft">{label}</dt>
              <dd>
                {typeof value === "string" ? (
                  value
                ) : (
                  <pre className="overflow-x-auto font-mono text-[13px] whitespace-pre-wrap">
                    {prettyJson(value)}
                  </pre>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <CodeBlock label="Input schema" code={prettyJson(tool.inputSchema)} />
      <CodeBlock label="Output schema" code={JSON.stringify(tool.outputSchema, null, 2)} />
    </div>
  );
}

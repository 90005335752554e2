import type { JsonObject, ToolDetail } from "@toolhost/contract";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { Button } from "#components/button";
import { Card, ProblemNote, Skeleton } from "#components/page";
import { ToolPanel } from "#components/tool-panel";
import { duration } from "#lib/words";
import { toShownTool } from "#runs/shown-tool.ts";
import { useFirstInput } from "./use-first-input.ts";

/** The tool's form, with what its author gave as examples. */
export function RunTab({ tool }: { tool: ToolDetail }): ReactNode {
  const { input, error, isPending } = useFirstInput();
  const [chosen, setChosen] = useState<{ input: JsonObject; count: number }>();
  const client = useQueryClient();
  if (isPending) return <Skeleton />;
  const first = chosen?.input ?? input ?? {};
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] lg:items-start">
      <div className="grid min-w-0 grid-cols-1 gap-4">
        {error === undefined ? null : <ProblemNote error={error} />}
        {/* The page says title and description already. */}
        <div className="min-w-0 rounded-xl border border-line bg-paper p-4 [&_article>h2]:sr-only">
          <ToolPanel
            key={`${tool.name} ${tool.version} ${chosen?.count ?? 0} ${JSON.stringify(input)}`}
            tool={toShownTool(tool)}
            runPath={`/run/${tool.name}`}
            input={first}
            onState={({ status }) => {
              if (status === "running" || status === "idle") return;
              void client.invalidateQueries({ queryKey: ["runs"] });
              void client.invalidateQueries({ queryKey: ["tool-activity"] });
            }}
          />
        </div>
      </div>
      <aside className="grid min-w-0 grid-cols-1 gap-4" aria-label="About runs of the tool">
        <Examples
          tool={tool}
          onChoose={(example) =>
            setChosen((before) => ({ input: example, count: (before?.count ?? 0) + 1 }))
          }
        />
        <Bounds tool={tool} />
      </aside>
    </div>
  );
}

function Examples({
  tool: { examples },
  onChoose,
}: {
  tool: ToolDetail;
  onChoose: (input: JsonObject) => void;
}): ReactNode {
  if (examples.length === 0) return null;
  return (
    <Card title="Examples">
      <ul className="grid grid-cols-1 gap-2">
        {examples.map(({ input }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- They have no name, and their order never changes.
          <li key={at}>
            <Button className="w-full justify-start!" onPress={() => onChoose(input)}>
              <span className="truncate font-normal">
                <span className="sr-only">Fill in </span>
                {inShort(input)}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function inShort(input: JsonObject): string {
  const parts = Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return parts.join(", ").slice(0, 120) || "no input";
}

function Bounds({ tool }: { tool: ToolDetail }): ReactNode {
  const { allowedHosts, credentials, timeoutMs } = tool;
  return (
    <Card title="What it may do">
      <dl className="grid gap-2 text-sm">
        <div>
          <dt className="text-soft">Reaches</dt>
          <dd>{allowedHosts.length === 0 ? "no host" : allowedHosts.join(", ")}</dd>
        </div>
        <div>
          <dt className="text-soft">Uses credentials</dt>
          <dd>
            {credentials.length === 0 ? "none" : credentials.map(({ name }) => name).join(", ")}
          </dd>
        </div>
        <div>
          <dt className="text-soft">Runs for at most</dt>
          <dd>{duration(timeoutMs)}</dd>
        </div>
      </dl>
    </Card>
  );
}

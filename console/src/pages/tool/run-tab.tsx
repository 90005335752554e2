import type { JsonObject, ToolDetail } from "@toolhost/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { lazy, useRef, useState } from "react";
import { meQuery } from "#api/queries";
import { Button } from "#components/button";
import { LazyPart } from "#components/lazy-part";
import { Card, ProblemNote, Skeleton } from "#components/page";
import { ToolPanel } from "#components/tool-panel";
import { isSameJson } from "#lib/json";
import { loadChunk } from "#lib/load-chunk";
import { formatDuration } from "#lib/format";
import { clearInput, hasSecrets, storeInput, loadInput } from "#runs/stored-input.ts";
import type { FormKey } from "#runs/stored-input.ts";
import { toFormTool } from "#runs/form-tool.ts";
import { JsonInput } from "./json-input.tsx";
import { useInitialInput } from "./use-initial-input.ts";

// The form is there sooner without what is told of a run that has ended.
const FinishedRun = lazy(async () => ({
  default: (await loadChunk(() => import("./finished-run.tsx"))).FinishedRun,
}));

const MissingCredentialsWatcher = lazy(async () => ({
  default: (await loadChunk(() => import("./missing-credentials-watcher.tsx")))
    .MissingCredentialsWatcher,
}));

/** The tool's form, with what its author gave as examples. */
export function RunTab({ tool }: { tool: ToolDetail }): ReactNode {
  const { input, from, error, isPending } = useInitialInput();
  const { data: me } = useQuery(meQuery);
  if (isPending || me === undefined) return <Skeleton />;
  const place = { workspaceId: me.workspace.id, userId: me.user.id, toolName: tool.name, from };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {error === undefined ? null : <ProblemNote error={error} />}
      <RunForm key={`${tool.name} ${from}`} tool={tool} beginning={input ?? {}} place={place} />
    </div>
  );
}

type Shown = { tool: ToolDetail; input: JsonObject; isKept: boolean; count: number };

function RunForm({
  tool,
  beginning,
  place,
}: {
  tool: ToolDetail;
  beginning: JsonObject;
  place: FormKey;
}): ReactNode {
  const client = useQueryClient();
  const [shown, setShown] = useState<Shown>(() => {
    const kept = loadInput(place, beginning);
    return { tool, input: kept ?? beginning, isKept: kept !== undefined, count: 0 };
  });
  const [isTouched, setTouched] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [endedId, setEndedId] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const read = useRef(() => shown.input);
  const clear = useRef(() => {});
  /** What a form holds that nobody has touched: with the defaults of its fields. */
  const untouched = useRef<JsonObject>(undefined);
  const isOld = shown.tool.version !== tool.version;
  const keep = (input: JsonObject) => {
    if (isSameJson(input, untouched.current) || isSameJson(input, beginning)) clearInput(place);
    else storeInput(place, tool.inputSchema, input);
  };
  const begin = (input: JsonObject) => {
    keep(input);
    setTouched(false);
    setEndedId(undefined);
    setShown({ tool, input, isKept: false, count: shown.count + 1 });
  };
  // Whoever has not begun sees the new form at once; whoever has keeps what they see until they say so.
  if (isOld && !isTouched) setShown({ ...shown, tool, count: shown.count + 1 });
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] lg:items-start">
      <div className="grid min-w-0 grid-cols-1 gap-4">
        {isOld && isTouched ? (
          <Note action="Show its form" isOff={isRunning} onPress={() => begin(read.current())}>
            Version {tool.version} of the tool is live now.
          </Note>
        ) : shown.isKept ? (
          <Note action="Start over" isOff={isRunning} onPress={() => begin(beginning)}>
            What you filled in before is still here.
          </Note>
        ) : null}
        {/* The page says title and description already. */}
        <div className="min-w-0 rounded-xl border border-line bg-paper p-4 [&_article>h2]:sr-only">
          <ToolPanel
            key={shown.count}
            tool={toFormTool(shown.tool)}
            runTarget={{ toolName: tool.name }}
            input={shown.input}
            onInput={(input) => {
              setTouched(true);
              keep(input);
            }}
            onReady={(form) => {
              read.current = form.read;
              clear.current = form.clear;
              if (isSameJson(shown.input, beginning)) untouched.current = form.read();
            }}
            onState={(state) => {
              const { status } = state;
              setTouched(true);
              setRunning(status === "running");
              setMissing(status === "missing");
              const runId = "runId" in state ? state.runId : undefined;
              setEndedId(status === "running" ? undefined : runId);
              if (status === "running" || status === "idle") return;
              // The form may be that of a version which is no longer live.
              if (status === "refused")
                void client.invalidateQueries({ queryKey: ["tools", tool.name] });
              void client.invalidateQueries({ queryKey: ["runs"] });
              void client.invalidateQueries({ queryKey: ["tool-activity"] });
            }}
          />
        </div>
        {isMissing ? (
          <LazyPart lines={0}>
            <MissingCredentialsWatcher name={tool.name} onClear={() => clear.current()} />
          </LazyPart>
        ) : null}
        {endedId === undefined ? null : (
          <LazyPart lines={1}>
            <FinishedRun key={endedId} runId={endedId} />
          </LazyPart>
        )}
      </div>
      <aside className="grid min-w-0 grid-cols-1 gap-4" aria-label="About runs of the tool">
        <JsonInput
          read={() => read.current()}
          isOff={isRunning}
          mayLink={!hasSecrets(tool.inputSchema)}
          onFill={begin}
        />
        <Examples tool={tool} isOff={isRunning} onChoose={begin} />
        <Bounds tool={tool} />
      </aside>
    </div>
  );
}

function Note({
  children,
  action,
  isOff,
  onPress,
}: {
  children: ReactNode;
  action: string;
  /** What runs is not taken from the page. */
  isOff: boolean;
  onPress: () => void;
}): ReactNode {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-xl border border-line bg-strong-soft px-4 py-2 text-sm">
      <p role="status">{children}</p>
      <Button isDisabled={isOff} onPress={onPress}>
        {action}
      </Button>
    </div>
  );
}

function Examples({
  tool: { examples },
  isOff,
  onChoose,
}: {
  tool: ToolDetail;
  isOff: boolean;
  onChoose: (input: JsonObject) => void;
}): ReactNode {
  if (examples.length === 0) return null;
  return (
    <Card title="Examples">
      <ul className="grid grid-cols-1 gap-2">
        {examples.map(({ input }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- They have no name, and their order never changes.
          <li key={at}>
            <Button
              className="w-full justify-start!"
              isDisabled={isOff}
              onPress={() => onChoose(input)}
            >
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
          <dd>{formatDuration(timeoutMs)}</dd>
        </div>
      </dl>
    </Card>
  );
}

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
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { exampleInput, withExampleFiles } from "#runs/example-input.ts";
import { clearInput, hasSecrets, storeInput, loadInput } from "#runs/stored-input.ts";
import type { FormKey } from "#runs/stored-input.ts";
import { toFormTool } from "#runs/form-tool.ts";
import { InputHeader } from "./input-header.tsx";
import { OpenQuestion } from "./open-question.tsx";
import { useInitialInput } from "./use-initial-input.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.run;

// Loaded on demand, so that the form appears sooner.
const FinishedRun = lazy(async () => ({
  default: (await loadChunk(() => import("./finished-run.tsx"))).FinishedRun,
}));

const MissingCredentialsWatcher = lazy(async () => ({
  default: (await loadChunk(() => import("./missing-credentials-watcher.tsx")))
    .MissingCredentialsWatcher,
}));

/** The run form of the tool, with its examples and limits. */
export function RunTab({ tool }: { tool: ToolDetail }): ReactNode {
  const { input, from, error, isPending } = useInitialInput();
  const { data: me } = useQuery(meQuery);
  if (isPending || me === undefined) return <Skeleton />;
  const formKey = { workspaceId: me.workspace.id, userId: me.user.id, toolName: tool.name, from };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      {error === undefined ? null : <ProblemNote error={error} />}
      <RunForm
        key={`${tool.name} ${from}`}
        tool={tool}
        initialInput={input ?? {}}
        formKey={formKey}
      />
    </div>
  );
}

type FormState = { tool: ToolDetail; input: JsonObject; isRestored: boolean; count: number };

function RunForm({
  tool,
  initialInput,
  formKey,
}: {
  tool: ToolDetail;
  initialInput: JsonObject;
  formKey: FormKey;
}): ReactNode {
  const client = useQueryClient();
  const [shown, setShown] = useState<FormState>(() => {
    const stored = loadInput(formKey, initialInput);
    return { tool, input: stored ?? initialInput, isRestored: stored !== undefined, count: 0 };
  });
  const [isTouched, setTouched] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [endedId, setEndedId] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const read = useRef(() => shown.input);
  const clear = useRef(() => {});
  /** The input of an untouched form, including the defaults of its fields. */
  const untouched = useRef<JsonObject>(undefined);
  const isOutdated = shown.tool.version !== tool.version;
  const store = (input: JsonObject) => {
    if (isSameJson(input, untouched.current) || isSameJson(input, initialInput))
      clearInput(formKey);
    else storeInput(formKey, tool.inputSchema, input);
  };
  const resetForm = (input: JsonObject) => {
    store(input);
    setTouched(false);
    setEndedId(undefined);
    setShown({ tool, input, isRestored: false, count: shown.count + 1 });
  };
  // An untouched form is replaced immediately; a touched one stays until the user loads the new form.
  if (isOutdated && !isTouched) setShown({ ...shown, tool, count: shown.count + 1 });
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_17rem] lg:items-start">
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <FormNotice
          newVersion={isOutdated && isTouched ? tool.version : undefined}
          isRestored={shown.isRestored}
          isDisabled={isRunning}
          onLoad={() => resetForm(read.current())}
          onStartOver={() => resetForm(initialInput)}
        />
        {isRunning ? null : <OpenQuestion toolName={tool.name} />}
        {/* The page already shows the title and the description. */}
        <div className="ui-card relative min-w-0 p-4 [&_article>h2]:sr-only [&_.form]:max-w-none!">
          <InputHeader
            read={() => read.current()}
            isDisabled={isRunning}
            canLink={!hasSecrets(tool.inputSchema)}
            onFill={resetForm}
          />
          <ToolPanel
            key={shown.count}
            tool={toFormTool(shown.tool)}
            runTarget={{ toolName: tool.name }}
            input={shown.input}
            onInput={(input) => {
              setTouched(true);
              store(input);
            }}
            onReady={(form) => {
              read.current = form.read;
              clear.current = form.clear;
              if (isSameJson(shown.input, initialInput)) untouched.current = form.read();
            }}
            onState={(state) => {
              const { status } = state;
              setTouched(true);
              setRunning(status === "running");
              setMissing(status === "missing");
              const runId = "runId" in state ? state.runId : undefined;
              setEndedId(status === "running" ? undefined : runId);
              if (status === "running" || status === "idle") return;
              // The form may be that of an outdated version.
              if (status === "refused")
                void client.invalidateQueries({ queryKey: ["tools", tool.name] });
              void client.invalidateQueries({ queryKey: ["runs"] });
              void client.invalidateQueries({ queryKey: ["tool-activity"] });
            }}
          />
        </div>
        {isMissing ? (
          <LazyPart lines={0}>
            <MissingCredentialsWatcher name={tool.name} onResolved={() => clear.current()} />
          </LazyPart>
        ) : null}
        {endedId === undefined ? null : (
          <LazyPart lines={1}>
            <FinishedRun key={endedId} runId={endedId} />
          </LazyPart>
        )}
      </div>
      <aside className="grid min-w-0 grid-cols-1 gap-4" aria-label={messages.detailsLabel}>
        <Examples tool={tool} isDisabled={isRunning} onChoose={resetForm} />
        <AccessAndLimits tool={tool} />
      </aside>
    </div>
  );
}

/** Offers the form of a newer version, or to drop the restored input. */
function FormNotice({
  newVersion,
  isRestored,
  isDisabled,
  onLoad,
  onStartOver,
}: {
  newVersion: number | undefined;
  isRestored: boolean;
  isDisabled: boolean;
  onLoad: () => void;
  onStartOver: () => void;
}): ReactNode {
  if (newVersion !== undefined) {
    return (
      <Notice action={messages.loadForm} isDisabled={isDisabled} onPress={onLoad}>
        {messages.newVersion(newVersion)}
      </Notice>
    );
  }
  if (!isRestored) return null;
  return (
    <Notice action={messages.startOver} isDisabled={isDisabled} onPress={onStartOver}>
      {messages.restored}
    </Notice>
  );
}

function Notice({
  children,
  action,
  isDisabled,
  onPress,
}: {
  children: ReactNode;
  action: string;
  /** True during a run, because replacing the form would drop it. */
  isDisabled: boolean;
  onPress: () => void;
}): ReactNode {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-xl border border-line bg-strong-soft px-4 py-2 text-sm">
      <p role="status">{children}</p>
      <Button isDisabled={isDisabled} onPress={onPress}>
        {action}
      </Button>
    </div>
  );
}

function Examples({
  tool: { examples, fileFields },
  isDisabled,
  onChoose,
}: {
  tool: ToolDetail;
  isDisabled: boolean;
  onChoose: (input: JsonObject) => void;
}): ReactNode {
  const usable = examples
    .filter(({ expect }) => expect?.type !== "failure")
    .map(({ name, input, files }) => ({ name, files, input: exampleInput(input, fileFields) }));
  const choose = async ({ input, files }: (typeof usable)[number]) => {
    const given = await withExampleFiles(input, files).catch((error: unknown) => {
      showToast(errorMessage(error), "bad");
      return input;
    });
    onChoose(given);
  };
  if (usable.length === 0) return null;
  return (
    <Card title={messages.examples}>
      <ul className="grid grid-cols-1 gap-2">
        {usable.map((example, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- Examples have no ID, and their order is stable.
          <li key={at}>
            <Button
              className="w-full justify-start!"
              isDisabled={isDisabled}
              onPress={() => void choose(example)}
            >
              <span className="truncate font-normal">
                <span className="sr-only">{messages.useExample} </span>
                {example.name ?? summaryOf(example.input)}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function summaryOf(input: JsonObject): string {
  const parts = Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return parts.join(", ").slice(0, 120) || messages.emptyInput;
}

function AccessAndLimits({ tool }: { tool: ToolDetail }): ReactNode {
  const { allowedHosts, credentials, timeoutMs } = tool;
  return (
    <Card title={messages.access}>
      <dl className="grid gap-2 text-sm">
        <div>
          <dt className="text-soft">{messages.hosts}</dt>
          <dd>{allowedHosts.length === 0 ? messages.none : allowedHosts.join(", ")}</dd>
        </div>
        <div>
          <dt className="text-soft">{messages.credentials}</dt>
          <dd>
            {credentials.length === 0
              ? messages.none
              : credentials.map(({ name }) => name).join(", ")}
          </dd>
        </div>
        <div>
          <dt className="text-soft">{messages.timeout}</dt>
          <dd>{formatDuration(timeoutMs)}</dd>
        </div>
      </dl>
    </Card>
  );
}

import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { SelectField } from "#components/select-field";
import { showToast } from "#components/toasts";
import { prettyJson } from "#lib/json";
import { useDraft } from "../draft-context.ts";
import { Differences } from "./differences.tsx";
import { messages as allMessages } from "./messages.ts";
import { lastRuns, replay } from "./replay.ts";
import type { ReplayResult } from "./replay.ts";

const messages = allMessages.replay;

const counts = ["5", "10", "25"].map((id) => ({ id, label: messages.lastRuns(id) }));

/** Runs the draft with recent inputs of its tool, and shows which results changed. */
export function ReplaySection({ toolName }: { toolName: string }): ReactNode {
  const { draft, store } = useDraft();
  const [count, setCount] = useState("5");
  const [done, setDone] = useState<ReplayResult[]>();
  const [remaining, setRemaining] = useState(0);
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => () => controllerRef.current?.abort(), []);
  const run = async () => {
    const controller = new AbortController();
    controllerRef.current = controller;
    setDone([]);
    await store.flush();
    const cases = await lastRuns(toolName, Number(count), controller.signal);
    setRemaining(cases.length);
    // Cases run one at a time, so that a long replay leaves capacity for other runs.
    for (const one of cases) {
      const replayed = await replay(draft.id, one, controller.signal);
      setDone((before) => [...(before ?? []), replayed]);
      setRemaining((before) => before - 1);
    }
  };
  const start = () => {
    run().catch((error: unknown) => {
      setRemaining(0);
      if (controllerRef.current?.signal.aborted !== true) showToast(errorMessage(error), "bad");
    });
  };
  return (
    <section aria-label={messages.title} className="grid gap-3">
      <h3 className="font-medium">{messages.title}</h3>
      <div className="flex flex-wrap items-end gap-4">
        <SelectField
          label={messages.runs}
          choices={counts}
          value={count}
          onChange={setCount}
          className="w-52"
        />
        <Button isPending={remaining > 0} onPress={start}>
          {messages.start}
        </Button>
      </div>
      <p className="text-sm text-soft">{messages.warning}</p>
      <div role="status" className="text-sm">
        {done === undefined ? "" : summaryOf(done, remaining)}
      </div>
      {(done ?? []).map((one) => (
        <Result key={one.case.id} replayed={one} />
      ))}
    </section>
  );
}

function summaryOf(done: readonly ReplayResult[], remaining: number): string {
  if (remaining > 0) return messages.remaining(remaining);
  if (done.length === 0) return messages.nothing;
  const different = done.filter(({ differences }) => differences.length > 0).length;
  return different === 0
    ? messages.allSame(done.length)
    : messages.someDifferent(different, done.length);
}

function Result({ replayed }: { replayed: ReplayResult }): ReactNode {
  const { case: one, after, differences } = replayed;
  const isDifferent = differences.length > 0;
  const Icon = isDifferent ? TriangleAlert : CircleCheck;
  const label = isDifferent ? messages.changed : messages.unchanged;
  return (
    <details open={isDifferent} className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer text-sm">
        <Icon size={15} aria-hidden className="mr-1.5 inline align-[-2px]" />
        {one.label}: {label}
      </summary>
      <div className="mt-2 grid gap-2">
        <pre className="max-h-40 overflow-auto font-mono text-xs whitespace-pre-wrap text-soft">
          {prettyJson(one.input).slice(0, 4_000)}
        </pre>
        {isDifferent ? (
          <Differences
            differences={differences}
            beforeLabel={messages.before}
            afterLabel={messages.after}
          />
        ) : (
          <pre className="max-h-60 overflow-auto font-mono text-xs whitespace-pre-wrap">
            {(after.message ?? prettyJson(after.output ?? {})).slice(0, 8_000)}
          </pre>
        )}
      </div>
    </details>
  );
}

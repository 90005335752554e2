import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { Checkbox } from "#components/fields";
import { SelectField } from "#components/select-field";
import { showToast } from "#components/toasts";
import { prettyJson } from "#lib/json";
import { objectsAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { Differences } from "./differences.tsx";
import { casesOf, lastRuns, replay } from "./replay.ts";
import type { Replayed } from "./replay.ts";

const counts = ["0", "5", "10", "25"].map((id) => ({
  id,
  label: id === "0" ? "None" : `The last ${id}`,
}));

/** Runs the draft with the examples and with what the tool was last given, and shows what is different. */
export function ReplaySection(): ReactNode {
  const { draft, definition, store } = useDraft();
  const [isWithExamples, setWithExamples] = useState(true);
  const [count, setCount] = useState(draft.toolName === null ? "0" : "5");
  const [done, setDone] = useState<Replayed[]>();
  const [left, setLeft] = useState(0);
  const closingRef = useRef<AbortController>(undefined);
  useEffect(() => () => closingRef.current?.abort(), []);
  const examples = casesOf(objectsAt(definition, "examples"));
  const run = async () => {
    const closing = new AbortController();
    closingRef.current = closing;
    setDone([]);
    await store.flush();
    const runs =
      draft.toolName === null ? [] : await lastRuns(draft.toolName, Number(count), closing.signal);
    const cases = [...(isWithExamples ? examples : []), ...runs];
    setLeft(cases.length);
    // One after the other, so that a large replay leaves room for others.
    for (const one of cases) {
      const replayed = await replay(draft.id, one, closing.signal);
      setDone((before) => [...(before ?? []), replayed]);
      setLeft((before) => before - 1);
    }
  };
  const start = () => {
    run().catch((error: unknown) => {
      setLeft(0);
      if (closingRef.current?.signal.aborted !== true) showToast(errorMessage(error), "bad");
    });
  };
  if (examples.length === 0 && draft.toolName === null) {
    return (
      <p className="text-sm text-soft">
        Save a run as an example, and it is tried again here before you publish.
      </p>
    );
  }
  return (
    <section aria-label="Replay" className="grid gap-3">
      <h3 className="font-medium">Try it with known inputs</h3>
      <div className="flex flex-wrap items-end gap-4">
        {examples.length === 0 ? null : (
          <Checkbox isSelected={isWithExamples} onChange={setWithExamples}>
            {examples.length === 1 ? "The example" : `The ${examples.length} examples`}
          </Checkbox>
        )}
        {draft.toolName === null ? null : (
          <SelectField
            label="Runs of the live version"
            choices={counts}
            value={count}
            onChange={setCount}
            className="w-52"
          />
        )}
        <Button isPending={left > 0} onPress={start}>
          Replay
        </Button>
      </div>
      <p className="text-sm text-soft">
        These are real runs: whatever the tool does, such as sending something, it does again.
      </p>
      <div role="status" className="text-sm">
        {done === undefined ? "" : summaryOf(done, left)}
      </div>
      {(done ?? []).map((one) => (
        <Result key={one.case.id} replayed={one} />
      ))}
    </section>
  );
}

function summaryOf(done: readonly Replayed[], left: number): string {
  if (left > 0) return `${left} to go…`;
  if (done.length === 0) return "There was nothing to replay.";
  const different = done.filter(({ differences }) => differences.length > 0).length;
  return different === 0
    ? `All ${done.length} as before.`
    : `${different} of ${done.length} are different.`;
}

function Result({ replayed }: { replayed: Replayed }): ReactNode {
  const { case: one, after, differences } = replayed;
  const isBad = after.status !== "completed";
  const isDifferent = differences.length > 0;
  const Icon = isDifferent
    ? TriangleAlert
    : one.before === undefined
      ? isBad
        ? CircleX
        : CircleDashed
      : CircleCheck;
  const words = isDifferent ? "different" : one.before === undefined ? after.status : "as before";
  return (
    <details open={isDifferent} className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer text-sm">
        <Icon size={15} aria-hidden className="mr-1.5 inline align-[-2px]" />
        {one.label}: {words}
      </summary>
      <div className="mt-2 grid gap-2">
        <pre className="max-h-40 overflow-auto font-mono text-[13px] whitespace-pre-wrap text-soft">
          {prettyJson(one.input).slice(0, 4_000)}
        </pre>
        {isDifferent ? (
          <Differences differences={differences} beforeLabel="Before" afterLabel="Now" />
        ) : (
          <pre className="max-h-60 overflow-auto font-mono text-[13px] whitespace-pre-wrap">
            {(after.message ?? prettyJson(after.output ?? {})).slice(0, 8_000)}
          </pre>
        )}
      </div>
    </details>
  );
}

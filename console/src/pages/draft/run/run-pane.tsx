import type { JsonObject } from "@toolhost/contract";
import type { RunState, ShownTool } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useMemo, useState } from "react";
import { Button } from "#components/button";
import { ToolPanel } from "#components/tool-panel";
import { storeInput, loadInput } from "#runs/stored-input.ts";
import { objectAt, objectsAt, textAt, textsAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useDebounced } from "../use-debounced.ts";
import { LastRun } from "./last-run.tsx";
import { useRunContext } from "./run-context.ts";

/** The tool's form as its users will see it, and runs of what is written now. */
export function RunPane(): ReactNode {
  const { draft, definition, store } = useDraft();
  const { notice, last, isRunning, setSubmit } = useRunContext();
  const shown = useShownTool(definition, draft.toolName ?? "new tool", isRunning);
  // What is filled in lives on when the form is made anew, as after a change of the schema, and when the page is.
  // A draft is one person's in one workspace.
  const place = { workspaceId: "", userId: "", toolName: `draft ${draft.id}`, from: "" };
  const [filled, setFilled] = useState<JsonObject>(() => loadInput(place, {}) ?? {});
  const fill = (input: JsonObject) => {
    setFilled(input);
    storeInput(place, shown.inputSchema, input);
  };
  const [round, setRound] = useState(0);
  useEffect(() => () => setSubmit(undefined), [setSubmit]);
  const examples = objectsAt(definition, "examples").slice(0, 6);
  return (
    <div className="grid content-start gap-4 p-4">
      {examples.length === 0 ? null : (
        <div className="flex flex-wrap items-center gap-1">
          <span className="text-sm text-soft">Fill in</span>
          {examples.map((example, at) => (
            <Button
              // Examples have nothing but their place.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              look="quiet"
              isDisabled={isRunning}
              onPress={() => {
                fill(objectAt(example, "input"));
                setRound(round + 1);
              }}
            >
              Example {at + 1}
            </Button>
          ))}
        </div>
      )}
      <ToolPanel
        key={`${round}${JSON.stringify(shown)}`}
        tool={shown}
        runTarget={{ draftId: draft.id }}
        input={filled}
        firstState={last?.state}
        beforeRun={() => store.flush()}
        shownAs={withoutProblems}
        onState={notice}
        onInput={fill}
        onReady={({ submit }) => setSubmit(submit)}
      />
      <LastRun />
    </div>
  );
}

/** What is wrong with the definition is listed below, where it leads to its place. */
function withoutProblems(state: RunState): RunState {
  if (state.status !== "refused" || state.isAboutTool !== true || !state.errors?.length)
    return state;
  return { ...state, message: "It cannot run as it is written now.", errors: [] };
}

/**
 * The tool as the form needs it. It changes when nobody has typed for a moment, and not while a run is under way, for the run is
 * watched by the form that began it.
 */
function useShownTool(definition: JsonObject, name: string, isHeld: boolean): ShownTool {
  const now = JSON.stringify({
    name,
    title: textAt(definition, "title") || "New tool",
    description: "",
    inputSchema: objectAt(definition, "inputSchema"),
    outputSchema: objectAt(definition, "outputSchema"),
    fileFields: textsAt(definition, "fileFields"),
  } satisfies ShownTool);
  const calm = useDebounced(now, 500);
  const [shown, setShown] = useState(calm);
  if (!isHeld && shown !== calm) setShown(calm);
  return useMemo(() => JSON.parse(shown) as ShownTool, [shown]);
}

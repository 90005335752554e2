import type { JsonObject } from "@toolhost/contract";
import type { RunState, ShownTool } from "@toolhost/ui";
import type { ReactNode } from "react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "#components/button";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { ToolPanel } from "#components/tool-panel";
import { exampleInput, withExampleFiles } from "#runs/example-input.ts";
import { storeInput, loadInput } from "#runs/stored-input.ts";
import { readExample } from "../examples/run-example.ts";
import { useFormRunRecord } from "../examples/use-form-run-record.ts";
import { AddCredential } from "../definition/add-credential.tsx";
import {
  credentialsOf,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useDebounced } from "../use-debounced.ts";
import { LastRun } from "./last-run.tsx";
import { messages as allMessages } from "./messages.ts";
import { useRunContext } from "./run-context.ts";

const messages = allMessages.pane;

/** The run form as users of the tool will see it; it runs the draft as it is now. */
export function RunPane(): ReactNode {
  const { draft, definition, store } = useDraft();
  const { handleState, last, isRunning, setSubmit } = useRunContext();
  const shown = useShownTool(definition, draft.toolName ?? messages.newTool, isRunning);
  // The input survives a rebuild of the form, as after a schema change, and a reload of the page.
  // A draft has one author in one workspace, so its ID alone identifies the form.
  const key = { workspaceId: "", userId: "", toolName: `draft ${draft.id}`, from: "" };
  const examples = objectsAt(definition, "examples").slice(0, 6);
  const [filled, setFilled] = useState<JsonObject>(
    () => loadInput(key, {}) ?? firstInput(examples, textsAt(definition, "fileFields")),
  );
  const fill = (input: JsonObject) => {
    setFilled(input);
    storeInput(key, shown.inputSchema, input);
  };
  const [round, setRound] = useState(0);
  /** Hides the run that lacked a credential. */
  const clear = useRef(() => {});
  const [adding, setAdding] = useState<string>();
  const added = credentialsOf(definition).find(({ name }) => name === adding);
  const record = useFormRunRecord(draft, store);
  useEffect(() => () => setSubmit(undefined), [setSubmit]);
  const choose = async (example: JsonObject) => {
    const { input, files } = readExample(example);
    const own = exampleInput(input, shown.fileFields);
    const given = await withExampleFiles(own, files).catch((error: unknown) => {
      showToast(errorMessage(error), "bad");
      return own;
    });
    fill(given);
    setRound(round + 1);
  };
  return (
    <div className="grid content-start gap-4 p-4">
      {examples.length === 0 ? null : (
        <div className="flex flex-wrap items-center gap-1">
          <span className="text-sm text-soft">{messages.fillIn}</span>
          {examples.map((example, at) => (
            <Button
              // An example has no ID, so its index is the key.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              look="quiet"
              isDisabled={isRunning}
              onPress={() => void choose(example)}
            >
              {textAt(example, "name") || messages.example(at + 1)}
            </Button>
          ))}
        </div>
      )}
      <ToolPanel
        key={`${round}${JSON.stringify(shown)}`}
        tool={shown}
        runTarget={{ draftId: draft.id }}
        input={filled}
        initialState={last?.state}
        beforeRun={async () => {
          await store.flush();
          record.start();
        }}
        transformState={withoutToolErrors}
        onState={(state, input) => {
          handleState(state, input);
          record.end(state, input);
        }}
        onInput={fill}
        onAddCredential={setAdding}
        onReady={(form) => {
          clear.current = form.clear;
          setSubmit(form.submit);
        }}
      />
      <LastRun />
      {added === undefined ? null : (
        <AddCredential
          name={added.name}
          hosts={added.hosts}
          resource={textAt(
            objectsAt(definition, "credentials").find(({ name }) => name === adding) ?? {},
            "resource",
          )}
          onAdded={() => clear.current()}
          onClose={() => setAdding(undefined)}
        />
      )}
    </div>
  );
}

/** The form starts with the first example, so that a draft of an import can run at once. */
function firstInput(examples: readonly JsonObject[], fileFields: readonly string[]): JsonObject {
  const [first] = examples;
  return first === undefined ? {} : exampleInput(readExample(first).input, fileFields);
}

/** Removes errors of the definition from the form; they are listed below it, with links. */
function withoutToolErrors(state: RunState): RunState {
  if (state.status !== "refused" || state.isAboutTool !== true || !state.errors?.length)
    return state;
  return { ...state, message: messages.toolErrors, errors: [] };
}

/**
 * The tool as the form needs it. It changes once the user stops typing, and not during a run, because the form that started a
 * run also follows it.
 */
function useShownTool(definition: JsonObject, name: string, isRunning: boolean): ShownTool {
  const now = JSON.stringify({
    name,
    title: textAt(definition, "title") || messages.newTool,
    description: "",
    inputSchema: objectAt(definition, "inputSchema"),
    outputSchema: objectAt(definition, "outputSchema"),
    fileFields: textsAt(definition, "fileFields"),
  } satisfies ShownTool);
  const settled = useDebounced(now, 500);
  const [shown, setShown] = useState(settled);
  if (!isRunning && shown !== settled) setShown(settled);
  return useMemo(() => JSON.parse(shown) as ShownTool, [shown]);
}

import { Plus, Trash2 } from "lucide-react";
import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Button, IconButton } from "#components/button";
import { TextField } from "#components/fields";
import { EmptyState } from "#components/page";
import { isObject } from "#lib/json";
import { Panel } from "../definition/panel.tsx";
import { objectsAt, textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { JsonField } from "../json-field.tsx";
import { useRowFocus } from "../use-row-focus.ts";
import { ExampleOutcome } from "./example-outcome.tsx";
import { ExpectationFields, expectationType } from "./expectation-fields.tsx";
import { messages as allMessages } from "./messages.ts";
import { RunExamples } from "./run-examples.tsx";
import { useShownRuns } from "./use-current-results.ts";

const messages = allMessages.panel;
const maxExamples = 20;
const maxNameLength = 80;

/** Example inputs with what their runs must end with, for the documentation and for checks before publishing. */
export function ExamplesPanel(): ReactNode {
  const { definition, change, store } = useDraft();
  const runs = useShownRuns();
  const examples = objectsAt(definition, "examples");
  const { rowsRef, focusAfter } = useRowFocus<HTMLElement>();
  const set = (next: JsonObject[]) => change({ examples: next.length === 0 ? undefined : next });
  const add = (
    <Button
      data-add
      isDisabled={examples.length >= maxExamples}
      onPress={() => {
        focusAfter("added");
        set([...examples, { input: {} }]);
      }}
    >
      <Plus size={16} aria-hidden />
      {messages.add}
    </Button>
  );
  const remove = (at: number) => {
    // Invalid JSON is stored by index, and the indexes change.
    for (const path of Object.keys(store.getState().texts))
      if (path.startsWith("examples/")) store.setText(path, undefined);
    focusAfter("removed");
    set(examples.filter((_, index) => index !== at));
  };
  if (examples.length === 0) {
    return (
      <section ref={rowsRef} data-rows aria-label={messages.title} className="p-4">
        <EmptyState title={messages.emptyTitle} action={add}>
          {messages.empty}
        </EmptyState>
      </section>
    );
  }
  return (
    <Panel rowsRef={rowsRef} title={messages.title} lead={messages.lead} actions={add}>
      <RunExamples />
      {examples.map((example, at) => (
        <ExampleFields
          // An example has no ID, so its index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${examples.length}-${at}`}
          example={example}
          at={at}
          onChange={(next) => set(examples.map((one, index) => (index === at ? next : one)))}
          onRemove={() => remove(at)}
        >
          <ExampleOutcome
            at={at}
            run={runs.results[at]}
            isOutdated={runs.examples[at] !== example}
            onAccept={(output) =>
              set(examples.map((one, index) => (index === at ? { ...one, output } : one)))
            }
          />
        </ExampleFields>
      ))}
    </Panel>
  );
}

function ExampleFields({
  example,
  at,
  onChange,
  onRemove,
  children,
}: {
  example: JsonObject;
  at: number;
  onChange: (example: JsonObject) => void;
  onRemove: () => void;
  children: ReactNode;
}): ReactNode {
  const setPart = (part: "input" | "output") => (value: unknown) => {
    const { [part]: _old, ...rest } = example;
    onChange(isObject(value) ? { ...rest, [part]: value } : rest);
  };
  const isCompared = ["subset", "equal", "snapshot"].includes(expectationType(example));
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-xl border border-line p-4">
      <legend className="sr-only">{messages.heading(at + 1)}</legend>
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">{messages.heading(at + 1)}</h3>
        <IconButton label={messages.remove(at + 1)} onPress={onRemove}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </div>
      <TextField
        label={messages.name}
        value={textAt(example, "name")}
        maxLength={maxNameLength}
        onChange={(name) => {
          const { name: _old, ...rest } = example;
          onChange(name === "" ? rest : { name, ...rest });
        }}
      />
      <JsonField
        label={messages.input}
        path={`examples/${at}/input`}
        value={example["input"]}
        isObjectOnly
        onChange={setPart("input")}
      />
      <ExpectationFields example={example} at={at} onChange={onChange} />
      {expectationType(example) === "failure" ? null : (
        <JsonField
          label={isCompared ? messages.expectedOutput : messages.output}
          path={`examples/${at}/output`}
          value={example["output"]}
          isObjectOnly
          onChange={setPart("output")}
        />
      )}
      {children}
    </fieldset>
  );
}

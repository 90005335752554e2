import { Plus, Trash2 } from "lucide-react";
import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Button, IconButton } from "#components/button";
import { EmptyState } from "#components/page";
import { isObject } from "#lib/json";
import { useDraft } from "../draft-context.ts";
import { JsonField } from "../json-field.tsx";
import { useRowFocus } from "../use-row-focus.ts";
import { Panel } from "./panel.tsx";
import { objectsAt } from "./read-definition.ts";

const most = 20;

/** Inputs with the outputs that they gave. They stand in the documentation, and are run again before publishing. */
export function ExamplesPanel(): ReactNode {
  const { definition, change, store } = useDraft();
  const examples = objectsAt(definition, "examples");
  const { rowsRef, follow } = useRowFocus<HTMLElement>();
  const set = (next: JsonObject[]) => change({ examples: next.length === 0 ? undefined : next });
  const add = (
    <Button
      data-add
      isDisabled={examples.length >= most}
      onPress={() => {
        follow("added");
        set([...examples, { input: {} }]);
      }}
    >
      <Plus size={16} aria-hidden />
      Add an example
    </Button>
  );
  const remove = (at: number) => {
    // What was typed belongs to a place, and the places move.
    for (const place of Object.keys(store.getState().texts))
      if (place.startsWith("examples/")) store.setText(place, undefined);
    follow("removed");
    set(examples.filter((_, index) => index !== at));
  };
  if (examples.length === 0) {
    return (
      <section ref={rowsRef} data-rows aria-label="Examples" className="p-4">
        <EmptyState title="No examples yet" action={add}>
          An example shows what to put in and what comes out. The quickest way to one: run the tool,
          and save the run as an example.
        </EmptyState>
      </section>
    );
  }
  return (
    <Panel
      rowsRef={rowsRef}
      title="Examples"
      lead="They stand in the documentation, and are run again before you publish."
      actions={add}
    >
      {examples.map((example, at) => (
        <fieldset
          // Examples have nothing but their place.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${examples.length}-${at}`}
          className="grid min-w-0 gap-3 rounded-xl border border-line p-4"
        >
          <legend className="sr-only">Example {at + 1}</legend>
          <div className="flex items-center justify-between gap-2">
            <h3 className="font-medium">Example {at + 1}</h3>
            <IconButton label={`Remove example ${at + 1}`} onPress={() => remove(at)}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </div>
          {(["input", "output"] as const).map((part) => (
            <JsonField
              key={part}
              label={part === "input" ? "Input" : "Output"}
              place={`examples/${at}/${part}`}
              value={example[part]}
              isObjectOnly
              onChange={(value) => {
                const { [part]: _old, ...rest } = example;
                const next = isObject(value) ? { ...rest, [part]: value } : rest;
                set(examples.map((one, index) => (index === at ? next : one)));
              }}
            />
          ))}
        </fieldset>
      ))}
    </Panel>
  );
}

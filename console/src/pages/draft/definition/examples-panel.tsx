import { Plus, Trash2 } from "lucide-react";
import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Button, IconButton } from "#components/button";
import { EmptyState } from "#components/page";
import { isObject } from "#lib/json";
import { useDraft } from "../draft-context.ts";
import { JsonField } from "../json-field.tsx";
import { useRowFocus } from "../use-row-focus.ts";
import { messages as allMessages } from "./messages.ts";
import { Panel } from "./panel.tsx";
import { objectsAt } from "./read-definition.ts";

const messages = allMessages.examples;
const maxExamples = 20;

/** Example inputs with their outputs, for the documentation and for replays before publishing. */
export function ExamplesPanel(): ReactNode {
  const { definition, change, store } = useDraft();
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
      {examples.map((example, at) => (
        <fieldset
          // An example has no ID, so its index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${examples.length}-${at}`}
          className="grid min-w-0 gap-3 rounded-xl border border-line p-4"
        >
          <legend className="sr-only">{messages.heading(at + 1)}</legend>
          <div className="flex items-center justify-between gap-2">
            <h3 className="font-medium">{messages.heading(at + 1)}</h3>
            <IconButton label={messages.remove(at + 1)} onPress={() => remove(at)}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </div>
          {(["input", "output"] as const).map((part) => (
            <JsonField
              key={part}
              label={messages[part]}
              path={`examples/${at}/${part}`}
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

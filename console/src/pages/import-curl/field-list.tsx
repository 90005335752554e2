import { isChosen } from "@toolhost/tool-schema/curl";
import type { RequestField } from "@toolhost/tool-schema/curl";
import type { ReactNode } from "react";
import { Checkbox } from "#components/fields";
import { Card } from "#components/page";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.fields;
const maxShown = 120;

/** The values of a request, each of which is an input or stays as it is. */
export function FieldList({
  fields,
  inputs,
  onChange,
}: {
  fields: readonly RequestField[];
  inputs: ReadonlyMap<string, boolean>;
  onChange: (id: string, isInput: boolean) => void;
}): ReactNode {
  return (
    <Card title={messages.title}>
      <p className="text-sm text-soft">{fields.length === 0 ? messages.none : messages.lead}</p>
      <ul className="grid min-w-0 gap-1 sm:grid-cols-2">
        {fields.map((field) => (
          <li key={field.id} className="min-w-0">
            <Checkbox
              isSelected={isChosen(field, inputs)}
              isDisabled={field.isAlwaysInput}
              onChange={(isInput) => onChange(field.id, isInput)}
              hint={describe(field)}
            >
              <span className="font-mono text-xs wrap-anywhere">{nameOf(field)}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function nameOf({ name, place }: RequestField): string {
  if (name !== "") return name;
  return place === "file" ? messages.file : messages.whole;
}

function describe({ place, sample, isAlwaysInput }: RequestField): string {
  const text = typeof sample === "string" ? sample : JSON.stringify(sample);
  const shown =
    text === undefined
      ? messages.noSample
      : text.length > maxShown
        ? `${text.slice(0, maxShown)}…`
        : text;
  return [messages.place(place), shown, ...(isAlwaysInput ? [messages.always] : [])].join(" · ");
}

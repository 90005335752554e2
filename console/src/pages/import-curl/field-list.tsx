import { humanizeKey } from "@toolhost/tool-schema";
import { isChosen } from "@toolhost/tool-schema/curl";
import type { RequestField } from "@toolhost/tool-schema/curl";
import type { ReactNode } from "react";
import { Checkbox } from "#components/fields";
import { Card } from "#components/page";
import { groupFields } from "./field-groups.ts";
import type { FieldGroup } from "./field-groups.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.fields;

const maxShown = 120;

type Props = {
  fields: readonly RequestField[];
  inputs: ReadonlyMap<string, boolean>;
  onChange: (ids: readonly string[], isInput: boolean) => void;
};

/** The values of a request, each of which is an input or stays as it is. Values that rarely vary are collapsed. */
export function FieldList({ fields, inputs, onChange }: Props): ReactNode {
  const groups = groupFields(fields);
  const usual = groups.filter(({ first }) => first.isInput || first.isAlwaysInput);
  const fixed = groups.filter((group) => !usual.includes(group));
  return (
    <Card title={messages.title}>
      <p className="text-sm text-soft">{usual.length === 0 ? messages.none : messages.lead}</p>
      {usual.length === 0 ? null : <Groups groups={usual} {...{ inputs, onChange }} />}
      {fixed.length === 0 ? null : (
        <details className="text-sm">
          <summary className="cursor-pointer text-soft hover:text-text">
            {messages.fixed(fixed.map(({ first }) => writtenAs(first)))}
          </summary>
          <div className="pt-3">
            <Groups groups={fixed} {...{ inputs, onChange }} />
          </div>
        </details>
      )}
    </Card>
  );
}

function Groups({
  groups,
  inputs,
  onChange,
}: Omit<Props, "fields"> & { groups: readonly FieldGroup[] }): ReactNode {
  return (
    <ul className="grid min-w-0 gap-1 sm:grid-cols-2">
      {groups.map((group) => (
        <li key={group.first.id} className="min-w-0">
          <Checkbox
            isSelected={isChosen(group.first, inputs)}
            isDisabled={group.first.isAlwaysInput}
            onChange={(isInput) => onChange(group.ids, isInput)}
            hint={describe(group)}
          >
            <span className="wrap-anywhere">{nameOf(group.first)}</span>
          </Checkbox>
        </li>
      ))}
    </ul>
  );
}

/** A fixed value in the summary of the collapsed ones: the text of a path segment, or the name of a header or member. */
function writtenAs({ name, place, sample }: RequestField): string {
  return place === "path" && typeof sample === "string" ? sample : name;
}

function nameOf({ name, place }: RequestField): string {
  if (name !== "") return humanizeKey(name);
  return place === "file" ? messages.file : messages.whole;
}

function describe({ first: { sample, isAlwaysInput }, places }: FieldGroup): string {
  const text = typeof sample === "string" ? sample : JSON.stringify(sample);
  const shown =
    text === undefined
      ? messages.noSample
      : text.length > maxShown
        ? `${text.slice(0, maxShown)}…`
        : text;
  return [messages.places(places), shown, ...(isAlwaysInput ? [messages.always] : [])].join(" · ");
}

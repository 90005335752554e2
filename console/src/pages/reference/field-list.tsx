import type { JsonObject } from "@toolhost/tool-schema/json";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { Badge } from "#components/badges";
import { classes } from "#lib/class-names";
import { InlineText } from "./inline-text.tsx";
import { messages } from "./messages.ts";
import { describeType, shapesOf } from "./schema.ts";
import type { Field, Shape } from "./schema.ts";

/** The fields of a body, and of each of its alternatives. */
export function SchemaFields({
  root,
  schema,
}: {
  root: JsonObject;
  schema: JsonObject;
}): ReactNode {
  const shapes = shapesOf(root, schema);
  return (
    <div className="grid min-w-0 gap-3">
      <p className="text-sm text-soft">
        <code className="font-mono text-xs">{describeType(schema)}</code>
        {typeof schema["description"] === "string" ? (
          <>
            {" · "}
            <InlineText text={schema["description"]} />
          </>
        ) : null}
      </p>
      <Shapes root={root} shapes={shapes} />
    </div>
  );
}

function Shapes({ root, shapes }: { root: JsonObject; shapes: readonly Shape[] }): ReactNode {
  return shapes.map(({ name, fields }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- The alternatives of a schema do not move.
    <div key={index} className="grid min-w-0 gap-1">
      {shapes.length > 1 ? (
        <p className="text-sm font-medium">{messages.operation.option(index + 1, name)}</p>
      ) : null}
      {fields.length === 0 ? null : <FieldList root={root} fields={fields} />}
    </div>
  ));
}

/** Fields or parameters, with their types. Objects in them open on demand, since schemas can contain themselves. */
export function FieldList({
  root,
  fields,
}: {
  root: JsonObject;
  fields: readonly Field[];
}): ReactNode {
  return (
    <ul className="min-w-0 divide-y divide-line rounded-lg border border-line">
      {fields.map(({ name, isRequired, description, schema }) => (
        <li key={name} className="grid min-w-0 gap-1 px-3 py-2 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            <code className="font-mono text-xs font-semibold">{name}</code>
            <span className="font-mono text-xs text-soft">{describeType(schema)}</span>
            {isRequired ? <Badge tone="warn">{messages.operation.required}</Badge> : null}
          </p>
          {description === "" ? null : (
            <p className="text-soft">
              <InlineText text={description} />
            </p>
          )}
          <InnerFields root={root} schema={schema} />
        </li>
      ))}
    </ul>
  );
}

function InnerFields({ root, schema }: { root: JsonObject; schema: JsonObject }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const shapes = shapesOf(root, schema);
  if (shapes.length === 0) return null;
  const [first] = shapes;
  const name = shapes.length === 1 ? first?.name : undefined;
  return (
    <div className="grid min-w-0 gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex min-h-6 items-center gap-1 justify-self-start rounded-sm text-xs text-strong"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={12} aria-hidden className={classes(isOpen && "rotate-90")} />
        {messages.operation.fields(name)}
      </button>
      {isOpen ? <Shapes root={root} shapes={shapes} /> : null}
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import type { Template } from "@toolhost/contract";
import { Copy, FilePlus2 } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { allItemsQuery, itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { SelectField } from "#components/select-field";
import { ProblemNote, Skeleton } from "#components/page";
import { useCreateDraft } from "#components/use-create-draft";
import { useToolActions } from "#components/use-tool-actions";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.start;

/** Templates and tools to start from. Each creates a draft and opens it. */
export function StartOptions(): ReactNode {
  const templates = useQuery(itemQuery("/templates"));
  const { create } = useCreateDraft();
  const ofKind = (kind: Template["kind"]) =>
    (templates.data ?? []).filter((one) => one.kind === kind);
  const cardsOf = (kind: Template["kind"]) => (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {ofKind(kind).map(({ id, title, description, definition }) => (
        <TemplateCard
          key={id}
          title={title}
          description={description}
          onUse={() => create(definition)}
        />
      ))}
    </ul>
  );
  return (
    <section aria-label={messages.label} className="grid gap-5">
      {cardsOf("starter")}
      {templates.isPending ? <Skeleton lines={2} /> : null}
      {templates.error === null ? null : (
        <ProblemNote error={templates.error} onRetry={() => void templates.refetch()} />
      )}
      <Duplicate />
      {ofKind("example").length === 0 ? null : (
        <details>
          <summary className="w-fit cursor-pointer text-soft">
            {messages.examples(ofKind("example").length)}
          </summary>
          <div className="mt-3">{cardsOf("example")}</div>
        </details>
      )}
    </section>
  );
}

function TemplateCard({
  title,
  description,
  onUse,
}: {
  title: string;
  description: string;
  onUse: () => void;
}): ReactNode {
  return (
    <li className="grid min-w-0 content-between justify-items-start gap-3 rounded-xl border border-line bg-paper p-4">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="line-clamp-3 text-sm text-soft">{description}</p>
      </div>
      <Button onPress={onUse} aria-label={messages.startFromNamed(title)}>
        <FilePlus2 size={16} aria-hidden />
        {messages.startFromTemplate}
      </Button>
    </li>
  );
}

/** Creates a draft that copies a tool of the workspace. */
function Duplicate(): ReactNode {
  const { duplicate, isPending } = useToolActions();
  const { data: tools } = useQuery(allItemsQuery("/tools"));
  const own = (tools ?? []).filter(({ installed }) => installed !== true);
  const [chosen, setChosen] = useState<string>();
  const [first] = own;
  if (first === undefined) return null;
  const name = chosen ?? first.name;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label={messages.copyOf}
        choices={own.map((tool) => ({ id: tool.name, label: tool.title, hint: tool.name }))}
        value={name}
        onChange={setChosen}
        className="w-full max-w-xs"
      />
      <Button isPending={isPending} onPress={() => duplicate(name)}>
        <Copy size={16} aria-hidden />
        {messages.duplicate}
      </Button>
    </div>
  );
}

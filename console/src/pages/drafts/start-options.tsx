import { useQuery } from "@tanstack/react-query";
import type { Template } from "@toolhost/contract";
import { Copy, FilePlus2 } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { SelectField } from "#components/select-field";
import { ProblemNote, Skeleton } from "#components/page";
import { useCreateDraft } from "#components/use-create-draft";
import { useToolActions } from "#components/use-tool-actions";

/** Ways to begin. Each makes a draft and goes to it. */
export function StartOptions(): ReactNode {
  const templates = useQuery(itemQuery("/templates"));
  const { begin } = useCreateDraft();
  const ofKind = (kind: Template["kind"]) =>
    (templates.data ?? []).filter((one) => one.kind === kind);
  const cardsOf = (kind: Template["kind"]) => (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {ofKind(kind).map(({ id, title, description, definition }) => (
        <TemplateCard
          key={id}
          title={title}
          words={description}
          onBegin={() => begin(definition)}
        />
      ))}
    </ul>
  );
  return (
    <section aria-label="Begin" className="grid gap-5">
      {cardsOf("starter")}
      {templates.isPending ? <Skeleton lines={2} /> : null}
      {templates.error === null ? null : (
        <ProblemNote error={templates.error} onRetry={() => void templates.refetch()} />
      )}
      <Duplicate />
      {ofKind("example").length === 0 ? null : (
        <details>
          <summary className="w-fit cursor-pointer text-soft">
            Begin from a finished tool ({ofKind("example").length})
          </summary>
          <div className="mt-3">{cardsOf("example")}</div>
        </details>
      )}
    </section>
  );
}

function TemplateCard({
  title,
  words,
  onBegin,
}: {
  title: string;
  words: string;
  onBegin: () => void;
}): ReactNode {
  return (
    <li className="grid min-w-0 content-between justify-items-start gap-3 rounded-xl border border-line bg-paper p-4">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="line-clamp-3 text-sm text-soft">{words}</p>
      </div>
      <Button onPress={onBegin} aria-label={`Begin with ${title}`}>
        <FilePlus2 size={16} aria-hidden />
        Begin
      </Button>
    </li>
  );
}

/** A tool of the workspace, to begin a new one that says the same. */
function Duplicate(): ReactNode {
  const { duplicate, isPending } = useToolActions();
  const { data: tools } = useQuery(itemQuery("/tools", { query: { limit: 200 } }));
  const own = (tools ?? []).filter(({ installed }) => installed !== true);
  const [chosen, setChosen] = useState<string>();
  const [first] = own;
  if (first === undefined) return null;
  const name = chosen ?? first.name;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Or a copy of a tool you have"
        choices={own.map((tool) => ({ id: tool.name, label: tool.title, hint: tool.name }))}
        value={name}
        onChange={setChosen}
        className="w-full max-w-xs"
      />
      <Button isPending={isPending} onPress={() => duplicate(name)}>
        <Copy size={16} aria-hidden />
        Duplicate
      </Button>
    </div>
  );
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Template } from "@toolhost/contract";
import { Copy, FilePlus2 } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { itemQuery } from "#api/queries";
import { Button } from "#components/button";
import { SearchField } from "#components/search-field";
import { ProblemNote, Skeleton } from "#components/page";
import { useCreateDraft } from "#components/use-create-draft";
import { useToolActions } from "#components/use-tool-actions";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { messages as allMessages } from "./messages.ts";
import { Name } from "#components/name";

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
        <h2 className="font-medium">{title}</h2>
        <p className="line-clamp-3 text-sm text-soft">{description}</p>
      </div>
      <Button onPress={onUse} aria-label={messages.startFromNamed(title)}>
        <FilePlus2 size={16} aria-hidden />
        {messages.startFromTemplate}
      </Button>
    </li>
  );
}

const maxMatches = 8;

/** Creates a draft that copies a tool of the workspace, which a search finds. */
function Duplicate(): ReactNode {
  const { duplicate, isPending } = useToolActions();
  const [text, setText] = useState("");
  const q = useDebouncedValue(text.trim());
  const { data: tools } = useQuery({
    ...itemQuery("/tools", { query: { limit: maxMatches * 2, ...(q === "" ? {} : { q }) } }),
    placeholderData: keepPreviousData,
  });
  const own = (tools ?? []).filter(({ installed }) => installed !== true).slice(0, maxMatches);
  if (own.length === 0 && q === "") return null;
  return (
    <details>
      <summary className="w-fit cursor-pointer text-soft">{messages.copyOf}</summary>
      <div className="mt-3 grid max-w-xl gap-2">
        <SearchField
          label={messages.searchTools}
          placeholder={messages.searchTools}
          value={text}
          onChange={setText}
        />
        {own.length === 0 ? <p className="text-sm text-soft">{messages.noTools}</p> : null}
        <ul className="divide-y divide-line rounded-xl border border-line bg-paper empty:hidden">
          {own.map(({ name, title }) => (
            <li key={name} className="flex items-center justify-between gap-3 px-3 py-2">
              <span className="min-w-0 truncate">
                <Name>{title}</Name> <code className="font-mono text-xs text-soft">{name}</code>
              </span>
              <Button
                isPending={isPending}
                aria-label={messages.duplicateNamed(title)}
                onPress={() => duplicate(name)}
              >
                <Copy size={16} aria-hidden />
                {messages.duplicate}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

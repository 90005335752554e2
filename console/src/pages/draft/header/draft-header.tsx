import { Link } from "@tanstack/react-router";
import { Play, Rocket } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { Button } from "#components/button";
import { MoreButton } from "#components/more-button";
import { Menu } from "#components/menu";
import { textAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { LazyPart } from "#components/lazy-part";
import { messages } from "../messages.ts";
import { useNewDraft } from "../use-new-draft.ts";
import { DiscardDialog } from "./discard-dialog.tsx";
import { SaveStatusText } from "./save-status.tsx";
import { Name } from "#components/name";

const PublishDialog = lazy(() => import("../publish/publish-dialog.tsx"));

/** The title, the save status, and the actions on the draft as a whole. */
export function DraftHeader({
  isPublishing,
  onPublish,
  onRun,
}: {
  isPublishing: boolean;
  onPublish: (isPublishing: boolean) => void;
  onRun: () => void;
}): ReactNode {
  const { draft, definition, change } = useDraft();
  const [isDiscarding, setDiscarding] = useState(false);
  const title = textAt(definition, "title");
  const { create } = useNewDraft();
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3 pb-1">
      <h1 className="sr-only">{title === "" ? messages.page.newTool : title}</h1>
      <input
        aria-label={messages.header.toolTitle}
        placeholder={messages.header.toolTitle}
        value={title}
        maxLength={80}
        onChange={({ target }) => change({ title: target.value })}
        className="-ml-2 min-h-9 min-w-40 flex-1 rounded-lg border border-transparent bg-transparent px-2 text-lg font-semibold placeholder:text-soft hover:border-edge"
      />
      <SaveStatusText />
      <div className="flex gap-2">
        <Button onPress={onRun} aria-keyshortcuts="Control+Enter">
          <Play size={16} aria-hidden />
          {messages.header.run}
        </Button>
        <Button look="primary" onPress={() => onPublish(true)}>
          <Rocket size={16} aria-hidden />
          {messages.header.publish}
        </Button>
        <Menu
          label={messages.header.more}
          trigger={<MoreButton label={messages.header.more} />}
          entries={[
            {
              id: "copy",
              label: messages.header.copyToNewDraft,
              onAction: () => create(definition),
            },
            {
              id: "discard",
              label: messages.header.discard,
              isDangerous: true,
              onAction: () => setDiscarding(true),
            },
          ]}
        />
      </div>
      {draft.toolName === null ? null : (
        <p className="basis-full text-sm text-soft">
          {messages.header.editing} <code className="font-mono">{draft.toolName}</code>
          {messages.header.basedOn(draft.baseVersion)}
        </p>
      )}
      {draft.import === null ? null : (
        <p className="basis-full text-sm text-soft">
          {messages.header.importedFrom}{" "}
          <Link
            to="/imports/$importId"
            params={{ importId: draft.import.id }}
            className="rounded-sm text-strong hover:underline"
          >
            <Name>{draft.import.title}</Name>
          </Link>
        </p>
      )}
      <DiscardDialog isOpen={isDiscarding} onClose={() => setDiscarding(false)} />
      {isPublishing ? (
        <LazyPart lines={0}>
          <PublishDialog onClose={() => onPublish(false)} />
        </LazyPart>
      ) : null}
    </header>
  );
}

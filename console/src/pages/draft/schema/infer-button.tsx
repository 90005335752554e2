import { Wand2 } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { objectAt, sourceOf } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import type { Inference } from "../infer/inference.ts";
import { addUses, mergeInput, mergeOutput } from "../infer/merge.ts";
import { Differences } from "../publish/differences.tsx";
import { jsonDifferences } from "../publish/json-diff.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.infer;
const maxNotes = 12;

/** Infers the schema from the types in the code, or from what it reads of the input, shows the changes and the open points, and applies it. */
export function InferButton({ path }: { path: "inputSchema" | "outputSchema" }): ReactNode {
  const { draft, definition, change, store } = useDraft();
  const [isReading, setReading] = useState(false);
  const [found, setFound] = useState<Inference>();
  const { code, fileName } = sourceOf(definition);
  const read = async () => {
    // The compiler is large, so it is loaded on demand.
    const { infer, openCode } = await import("../editor/language.ts").catch(() => {
      throw new Error(messages.editorNotLoaded);
    });
    const filePath = `/drafts/${draft.id}/${fileName}`;
    openCode(filePath, code);
    return infer(filePath);
  };
  const press = () => {
    setReading(true);
    read()
      .then(setFound, (error: unknown) => showToast(errorMessage(error), "bad"))
      .finally(() => setReading(false));
  };
  const before = objectAt(definition, path);
  const inferred = found?.[path];
  const merge =
    path === "outputSchema" ? mergeOutput : found?.isInputFromUses === true ? addUses : mergeInput;
  const after = inferred === undefined ? undefined : merge(before, inferred);
  const differences = after === undefined ? [] : jsonDifferences(before, after);
  const apply = () => {
    if (after !== undefined) change({ [path]: after });
    store.setText(path, undefined);
    setFound(undefined);
    showToast(messages.applied);
  };
  return (
    <>
      <Button isPending={isReading} onPress={press}>
        <Wand2 size={16} aria-hidden />
        {isReading ? messages.reading : messages.button}
      </Button>
      <Dialog
        title={messages.title}
        isOpen={found !== undefined}
        isWide
        onClose={() => setFound(undefined)}
      >
        {after === undefined ? null : differences.length === 0 ? (
          <p className="text-sm">{messages.noChanges}</p>
        ) : (
          <div className="max-h-96 overflow-auto">
            <Differences
              differences={differences}
              beforeLabel={messages.before}
              afterLabel={messages.after}
            />
          </div>
        )}
        <Notes notes={found?.notes ?? []} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={() => setFound(undefined)}>{messages.cancel}</Button>
          <Button look="primary" isDisabled={differences.length === 0} onPress={apply}>
            {messages.apply}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function Notes({ notes }: { notes: Inference["notes"] }): ReactNode {
  if (notes.length === 0) return null;
  return (
    <div className="text-sm">
      <h3 className="font-medium">{messages.notes}</h3>
      <ul className="list-disc pl-5 text-soft">
        {notes.slice(0, maxNotes).map(({ path, message }) => (
          <li key={`${path}${message}`}>
            {path === "" ? null : <code className="font-mono">{path}</code>} {message}
          </li>
        ))}
      </ul>
      {notes.length > maxNotes ? <p>{messages.moreNotes(notes.length - maxNotes)}</p> : null}
    </div>
  );
}

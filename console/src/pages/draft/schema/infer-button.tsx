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
import { mergeInput, mergeOutput } from "../infer/merge.ts";
import { Differences } from "../publish/differences.tsx";
import { jsonDifferences } from "../publish/json-diff.ts";

const longest = 12;

/** Reads the schema from the types of the code, shows what would change and what the types leave open, and takes it over. */
export function InferButton({ place }: { place: "inputSchema" | "outputSchema" }): ReactNode {
  const { draft, definition, change, store } = useDraft();
  const [isReading, setReading] = useState(false);
  const [found, setFound] = useState<Inference>();
  const { code, language, fileName } = sourceOf(definition);
  const read = async () => {
    // The editor is large, and is here only for whoever wants it.
    const { infer, openFile } = await import("../editor/language.ts").catch(() => {
      throw new Error(
        "The editor could not be loaded. Read the page anew; what you wrote is kept.",
      );
    });
    const path = `/drafts/${draft.id}/${fileName}`;
    openFile(path, language, code);
    return infer(path);
  };
  const press = () => {
    setReading(true);
    read()
      .then(setFound, (error: unknown) => showToast(errorMessage(error), "bad"))
      .finally(() => setReading(false));
  };
  const before = objectAt(definition, place);
  const inferred = found?.[place];
  const merge = place === "inputSchema" ? mergeInput : mergeOutput;
  const after = inferred === undefined ? undefined : merge(before, inferred);
  const differences = after === undefined ? [] : jsonDifferences(before, after);
  const take = () => {
    if (after !== undefined) change({ [place]: after });
    store.setText(place, undefined);
    setFound(undefined);
    showToast("Taken over from the code.");
  };
  return (
    <>
      <Button isPending={isReading} onPress={press}>
        <Wand2 size={16} aria-hidden />
        {isReading ? "Reading…" : "Infer from the code"}
      </Button>
      <Dialog
        title="What the types of the code say"
        isOpen={found !== undefined}
        isWide
        onClose={() => setFound(undefined)}
      >
        {after === undefined ? null : differences.length === 0 ? (
          <p className="text-sm">The schema says the same already.</p>
        ) : (
          <div className="max-h-96 overflow-auto">
            <Differences differences={differences} beforeLabel="Now" afterLabel="From the code" />
          </div>
        )}
        <Notes notes={found?.notes ?? []} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={() => setFound(undefined)}>Leave it as it is</Button>
          <Button look="primary" isDisabled={differences.length === 0} onPress={take}>
            Use it
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
      <h3 className="font-medium">What the types do not say</h3>
      <ul className="list-disc pl-5 text-soft">
        {notes.slice(0, longest).map(({ place, message }) => (
          <li key={`${place}${message}`}>
            {place === "" ? null : <code className="font-mono">{place}</code>} {message}
          </li>
        ))}
      </ul>
      {notes.length > longest ? <p>And {notes.length - longest} more.</p> : null}
    </div>
  );
}

import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { isObject, isSameJson, parseJson, prettyJson } from "#lib/json";
import { useDraft } from "../draft-context.ts";
import CodeEditor from "../editor/code-editor.tsx";

/**
 * A schema as JSON. What is no JSON, or no object, is kept as it was typed and changes nothing until it is; what the visual
 * editor or another tab changed is shown at once.
 */
export default function JsonTab({
  label,
  place,
  value,
  onChange,
}: {
  label: string;
  place: string;
  value: JsonObject;
  onChange: (value: JsonObject) => void;
}): ReactNode {
  const { draft, state, store } = useDraft();
  const [typed, setTyped] = useState(() => state.texts[place] ?? prettyJson(value));
  const kept = state.texts[place];
  const shown = kept ?? (isSameJson(parseJson(typed), value) ? typed : prettyJson(value));
  return (
    <div className="grid gap-2">
      <CodeEditor
        label={label}
        path={`/drafts/${draft.id}/${place}.json`}
        language="json"
        value={shown}
        onChange={(text) => {
          setTyped(text);
          const parsed = parseJson(text);
          store.setText(place, isObject(parsed) ? undefined : text);
          if (isObject(parsed)) onChange(parsed);
        }}
        onSave={() => void store.flush().catch(() => undefined)}
        className="h-[60dvh] rounded-lg border border-line"
      />
      <p role="status" className="text-sm text-bad">
        {kept === undefined
          ? ""
          : "This is not a JSON object yet. It is kept in this browser; the last one that was counts."}
      </p>
    </div>
  );
}

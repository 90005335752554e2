import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { isObject, isSameJson, parseJson, prettyJson } from "#lib/json";
import { useDraft } from "../draft-context.ts";
import CodeEditor from "../editor/code-editor.tsx";
import { messages } from "./messages.ts";

/**
 * Edits a schema as JSON. Invalid text is stored as it was typed and leaves the schema unchanged. Changes from the visual editor
 * or another tab appear immediately.
 */
export default function JsonTab({
  label,
  path,
  value,
  onChange,
}: {
  label: string;
  path: string;
  value: JsonObject;
  onChange: (value: JsonObject) => void;
}): ReactNode {
  const { draft, state, store } = useDraft();
  const [typed, setTyped] = useState(() => state.texts[path] ?? prettyJson(value));
  const invalidText = state.texts[path];
  const shown = invalidText ?? (isSameJson(parseJson(typed), value) ? typed : prettyJson(value));
  return (
    <div className="grid gap-2">
      <CodeEditor
        label={label}
        path={`/drafts/${draft.id}/${path}.json`}
        language="json"
        value={shown}
        onChange={(text) => {
          setTyped(text);
          const parsed = parseJson(text);
          store.setText(path, isObject(parsed) ? undefined : text);
          if (isObject(parsed)) onChange(parsed);
        }}
        onSave={() => void store.flush().catch(() => undefined)}
        className="h-[60dvh] rounded-lg border border-line"
      />
      <p role="status" className="text-sm text-bad">
        {invalidText === undefined ? "" : messages.json.invalid}
      </p>
    </div>
  );
}

import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { showToast } from "#components/toasts";
import { objectAt, sourceOf, textsAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { addUses } from "../infer/merge.ts";
import { useRunContext } from "../run/run-context.ts";
import { useDebounced } from "../use-debounced.ts";
import CodeEditor from "./code-editor.tsx";
import type { EditorHandle } from "./code-editor.tsx";
import { declarationsOf } from "./declarations.ts";
import { declare, declareNode, infer } from "./language.ts";
import { messages } from "./messages.ts";
import { needsNode } from "./needs-node.ts";
import { PackageTypesStatus } from "./package-types-status.tsx";
import Problems from "./problems.tsx";
import { usePackageTypes } from "./use-package-types.ts";

const assumedSchema = { type: "string" };

/** The code editor with the types of the tool, and the problems below it. */
export default function CodeTab(): ReactNode {
  const { draft, definition, change, store } = useDraft();
  const { markers, runNow } = useRunContext();
  const { code, language, fileName } = sourceOf(definition);
  const [handle, setHandle] = useState<EditorHandle>();
  const packageTypes = usePackageTypes();
  const typed = packageTypes.packages.filter(({ types }) => types === "there");
  const declarations = useDebounced(
    declarationsOf(
      definition,
      typed.map(({ name }) => name),
    ),
    300,
  );
  useEffect(() => declare(declarations), [declarations]);
  const isNodeNeeded = needsNode(useDebounced(code, 300));
  useEffect(() => {
    if (isNodeNeeded) void declareNode().catch(() => undefined);
  }, [isNodeNeeded]);
  const path = `/drafts/${draft.id}/${fileName}`;
  /** Adds a member to the input schema with the type that the code uses it as, or as text. */
  const addInput = (name: string) => {
    infer(path)
      .catch(() => undefined)
      .then((found) => {
        const uses = objectAt(objectAt(found?.inputSchema ?? {}, "properties"), name);
        const schema =
          found?.isInputFromUses === true && uses["type"] !== undefined ? uses : assumedSchema;
        const required = textsAt(found?.inputSchema ?? {}, "required").includes(name);
        const { definition: latest } = store.getState();
        const added = { properties: { [name]: schema }, ...(required ? { required: [name] } : {}) };
        change({ inputSchema: addUses(objectAt(latest, "inputSchema"), added) });
        showToast(messages.problems.inputAdded(name));
      })
      .catch(() => undefined);
  };
  return (
    <div className="flex h-[70dvh] min-h-80 flex-col bg-paper lg:h-full">
      <CodeEditor
        label={messages.code(fileName)}
        path={path}
        language={language}
        value={code}
        onChange={(text) => {
          const { definition: latest } = store.getState();
          change({ source: { language, ...objectAt(latest, "source"), code: text } });
        }}
        markers={markers}
        onRun={runNow}
        onSave={() => void store.flush().catch(() => undefined)}
        onReady={setHandle}
        className="flex-1"
      />
      <PackageTypesStatus state={packageTypes} />
      <Problems
        path={path}
        markers={markers}
        onGo={(line, column) => handle?.goTo(line, column)}
        onAddInput={addInput}
      />
    </div>
  );
}

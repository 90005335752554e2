import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { objectAt, sourceOf } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useRunContext } from "../run/run-context.ts";
import { useDebounced } from "../use-debounced.ts";
import CodeEditor from "./code-editor.tsx";
import type { EditorHandle } from "./code-editor.tsx";
import { declarationsOf } from "./declarations.ts";
import { declare, declareNode } from "./language.ts";
import { messages } from "./messages.ts";
import { needsNode } from "./needs-node.ts";
import { PackageTypesStatus } from "./package-types-status.tsx";
import Problems from "./problems.tsx";
import { usePackageTypes } from "./use-package-types.ts";
import { useProblemHelp } from "./use-problem-help.ts";

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
  const findHelp = useProblemHelp(path);
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
        findHelp={findHelp}
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
        findHelp={findHelp}
      />
    </div>
  );
}

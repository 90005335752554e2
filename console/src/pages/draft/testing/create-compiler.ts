import { libFileMap } from "monaco-editor/languages/features/typescript/lib/lib.js";
import { createLanguageService } from "monaco-editor/languages/features/typescript/lib/typescriptServices.js";

import { isRootFile } from "../editor/worker-files.ts";

type Service = ReturnType<typeof createLanguageService>;

/** Creates the compiler of the editor for tests, over files that may change; it reads a file again when its version changes. */
export function createCompiler(
  files: ReadonlyMap<string, string>,
  settings: object,
  versionOf: (name: string) => string,
): Service {
  const textOf = (name: string) => files.get(name) ?? libFileMap[name];
  return createLanguageService({
    getCompilationSettings: () => ({ strict: true, target: 99, module: 99, ...settings }),
    getScriptFileNames: () => [...files.keys()].filter(isRootFile),
    getScriptVersion: versionOf,
    getScriptSnapshot: (name: string) => {
      const text = textOf(name);
      return text === undefined
        ? undefined
        : {
            getText: (start: number, end: number) => text.slice(start, end),
            getLength: () => text.length,
            getChangeRange: () => undefined,
          };
    },
    getCurrentDirectory: () => "",
    getDefaultLibFileName: () => "lib.esnext.full.d.ts",
    fileExists: (name: string) => textOf(name) !== undefined,
    readFile: textOf,
  });
}

import { libFileMap } from "monaco-editor/languages/features/typescript/lib/lib.js";
import { createLanguageService } from "monaco-editor/languages/features/typescript/lib/typescriptServices.js";
import type { LanguageService } from "monaco-editor/languages/features/typescript/lib/typescriptServices.js";
import { isModuleTypeScript, isRootFile } from "./worker-files.ts";

/** `ScriptKind` of the compiler. */
const kinds = { js: 1, ts: 3 };

/**
 * Creates the compiler over files that may change; it reads a file again when its version changes. It resolves imports again
 * only while `hasNewFiles` returns true.
 */
export function createCompiler(
  files: ReadonlyMap<string, string>,
  settings: object,
  versionOf: (name: string) => string,
  hasNewFiles: () => boolean = () => false,
): LanguageService {
  const textOf = (name: string) => files.get(name) ?? libFileMap[name];
  return createLanguageService({
    getCompilationSettings: () => ({ strict: true, target: 99, module: 99, ...settings }),
    getScriptFileNames: () => [...files.keys()].filter(isRootFile),
    getScriptKind: (name: string) =>
      isModuleTypeScript(name) || name.endsWith(".ts") ? kinds.ts : kinds.js,
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
    hasInvalidatedResolutions: hasNewFiles,
  });
}

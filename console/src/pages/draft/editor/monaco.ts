import { jsonDefaults } from "monaco-editor/languages/features/json/register.js";
import * as typescript from "monaco-editor/languages/features/typescript/register.js";
import { editor, KeyCode, KeyMod, MarkerSeverity, Uri } from "./features.ts";
import { followTheme } from "./theme.ts";

export { editor, KeyCode, KeyMod, MarkerSeverity, typescript, Uri };

// Each URL is a literal, because the bundler finds workers by it.
globalThis.MonacoEnvironment = {
  getWorker: (_id: string, label: string) => {
    if (label === "typescript" || label === "javascript")
      return new Worker(new URL("./ts-worker.ts", import.meta.url), { type: "module" });
    if (label === "json")
      return new Worker(new URL("./json-worker.ts", import.meta.url), { type: "module" });
    return new Worker(new URL("./editor-worker.ts", import.meta.url), { type: "module" });
  },
};

// The sandbox has the globals of a web worker, without a page.
const compilerOptions = {
  target: typescript.ScriptTarget.ESNext,
  module: typescript.ModuleKind.ESNext,
  // "Bundler", which reads the exports of packages. The enum of the editor does not include it yet.
  moduleResolution: 100,
  lib: [
    "lib.esnext.d.ts",
    "lib.webworker.d.ts",
    "lib.webworker.iterable.d.ts",
    "lib.webworker.asynciterable.d.ts",
  ],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  allowJs: true,
  checkJs: true,
  isolatedModules: true,
  moduleDetection: 3,
  allowNonTsExtensions: true,
  noEmit: true,
  esModuleInterop: true,
};
for (const defaults of [typescript.typescriptDefaults, typescript.javascriptDefaults]) {
  defaults.setCompilerOptions(compilerOptions);
  defaults.setDiagnosticsOptions({ noSemanticValidation: false, noSyntaxValidation: false });
}
jsonDefaults.setDiagnosticsOptions({
  validate: true,
  allowComments: false,
  enableSchemaRequest: false,
});
followTheme(editor);

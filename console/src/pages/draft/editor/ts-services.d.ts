declare module "monaco-editor/languages/features/typescript/ts.worker.js" {
  export const ts: import("../infer/compiler.ts").Compiler;
  export class TypeScriptWorker {
    constructor(context: unknown, data: unknown);
    getLanguageService(): { getProgram(): import("../infer/compiler.ts").Program };
  }
  export function initialize(create: (context: unknown, data: unknown) => TypeScriptWorker): void;
}

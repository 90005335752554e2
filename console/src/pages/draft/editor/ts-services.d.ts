declare module "monaco-editor/languages/features/typescript/ts.worker.js" {
  export const ts: { typescript: import("../infer/compiler.ts").Compiler };
  export class TypeScriptWorker {
    constructor(context: unknown, data: unknown);
    getLanguageService(): { getProgram(): import("../infer/compiler.ts").Program };
    updateExtraLibs(libs: object): Promise<void>;
    getScriptFileNames(): string[];
    getScriptKind(fileName: string): number;
  }
  export function initialize(create: (context: unknown, data: unknown) => TypeScriptWorker): void;
}

declare module "monaco-editor/languages/features/typescript/lib/typescriptServices.js" {
  export const typescript: import("../infer/compiler.ts").Compiler;
  export function createLanguageService(host: object): {
    getProgram(): import("../infer/compiler.ts").Program;
    getSemanticDiagnostics(fileName: string): readonly { messageText: unknown }[];
  };
}

declare module "monaco-editor/languages/features/typescript/lib/lib.js" {
  export const libFileMap: Readonly<Record<string, string>>;
}

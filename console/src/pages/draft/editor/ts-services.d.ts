// The parts of the compiler that the editor uses. The package includes it without its types.

declare module "monaco-editor/languages/features/typescript/lib/typescriptServices.js" {
  type TextPart = { readonly text: string };
  type Span = { readonly start: number; readonly length: number };
  type Tag = { readonly name: string; readonly text?: readonly TextPart[] };
  type Described = {
    readonly displayParts?: readonly TextPart[];
    readonly documentation?: readonly TextPart[];
    readonly tags?: readonly Tag[];
  };
  type Diagnostic = {
    readonly start?: number;
    readonly length?: number;
    readonly category: number;
    readonly code: number;
    readonly messageText: unknown;
    readonly reportsUnnecessary?: unknown;
    readonly reportsDeprecated?: unknown;
  };
  type CompletionEntry = {
    readonly name: string;
    readonly kind: string;
    readonly kindModifiers?: string;
    readonly sortText: string;
    readonly replacementSpan?: Span;
  };
  type SignatureItem = {
    readonly prefixDisplayParts: readonly TextPart[];
    readonly suffixDisplayParts: readonly TextPart[];
    readonly separatorDisplayParts: readonly TextPart[];
    readonly parameters: readonly Described[];
    readonly documentation: readonly TextPart[];
  };
  type TextChange = { readonly span: Span; readonly newText: string };
  type Place = { readonly fileName: string; readonly textSpan: Span };

  export type LanguageService = {
    getProgram(): import("../infer/compiler.ts").Program;
    getSyntacticDiagnostics(fileName: string): readonly Diagnostic[];
    getSemanticDiagnostics(fileName: string): readonly Diagnostic[];
    getSuggestionDiagnostics(fileName: string): readonly Diagnostic[];
    getCompletionsAtPosition(
      fileName: string,
      position: number,
      options: undefined,
    ): { readonly entries: readonly CompletionEntry[] } | undefined;
    getCompletionEntryDetails(
      fileName: string,
      position: number,
      name: string,
      ...rest: readonly undefined[]
    ): Described | undefined;
    getQuickInfoAtPosition(
      fileName: string,
      position: number,
    ): (Described & { readonly textSpan: Span }) | undefined;
    getSignatureHelpItems(
      fileName: string,
      position: number,
      options: object,
    ):
      | {
          readonly items: readonly SignatureItem[];
          readonly selectedItemIndex: number;
          readonly argumentIndex: number;
        }
      | undefined;
    getCodeFixesAtPosition(
      fileName: string,
      start: number,
      end: number,
      codes: readonly number[],
      format: object,
      preferences: object,
    ): readonly {
      readonly description: string;
      readonly changes: readonly {
        readonly fileName: string;
        readonly textChanges: readonly TextChange[];
      }[];
    }[];
    getFormattingEditsForDocument(fileName: string, format: object): readonly TextChange[];
    getDefinitionAtPosition(fileName: string, position: number): readonly Place[] | undefined;
    getReferencesAtPosition(fileName: string, position: number): readonly Place[] | undefined;
    getRenameInfo(fileName: string, position: number, options: object): { canRename: boolean };
    findRenameLocations(
      fileName: string,
      position: number,
      findInStrings: boolean,
      findInComments: boolean,
      preferences: object,
    ):
      | readonly (Place & { readonly prefixText?: string; readonly suffixText?: string })[]
      | undefined;
  };

  export const typescript: import("../infer/compiler.ts").Compiler & {
    flattenDiagnosticMessageText(message: unknown, newLine: string): string;
    getDefaultFormatCodeSettings(newLine: string): object;
  };
  export function createLanguageService(host: object): LanguageService;
}

declare module "monaco-editor/languages/features/typescript/lib/lib.js" {
  export const libFileMap: Readonly<Record<string, string>>;
}

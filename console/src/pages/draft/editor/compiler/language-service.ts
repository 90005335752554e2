import { typescript } from "monaco-editor/languages/features/typescript/lib/typescriptServices.js";
import type {
  Described,
  Diagnostic,
  LanguageService,
  Place,
  TextChange,
  TextPart,
} from "monaco-editor/languages/features/typescript/lib/typescriptServices.js";
import type { Inference } from "../../infer/inference.ts";
import { inferSchemas } from "../../infer/infer-schemas.ts";
import type {
  Completion,
  Description,
  Edit,
  Fix,
  Problem,
  SignatureHelp,
  Span,
} from "./answers.ts";
import { compilerOptions } from "./compiler-options.ts";
import { createCompiler } from "./create-compiler.ts";

const format = {
  ...typescript.getDefaultFormatCodeSettings("\n"),
  indentSize: 2,
  tabSize: 2,
};

/** What the editor asks about the code of tools. All answers are plain values, which cross from a worker. */
export type Language = ReturnType<typeof createLanguage>;

/** Creates a compiler without files, and what the editor asks it. */
export function createLanguage() {
  const texts = new Map<string, string>();
  const versions = new Map<string, number>();
  let version = 0;
  let hasNewFiles = false;
  const service = createCompiler(
    texts,
    compilerOptions,
    (name) => String(versions.get(name) ?? 0),
    () => hasNewFiles,
  );
  const set = (name: string, text: string) => {
    if (texts.get(name) === text) return;
    version += 1;
    texts.set(name, text);
    versions.set(name, version);
  };
  return {
    /** Adds or changes the code of a tool. */
    setFile: set,
    removeFile: (name: string): void => void texts.delete(name),
    /** Replaces declarations: removes files and adds others. */
    setDeclarations: (
      removed: readonly string[],
      added: readonly (readonly [string, string])[],
    ) => {
      for (const name of removed) texts.delete(name);
      for (const [name, text] of added) set(name, text);
      // Otherwise the compiler reuses what it resolved while the code is unchanged.
      hasNewFiles = true;
      service.getProgram();
      hasNewFiles = false;
    },
    check: (name: string) => check(service, name, texts.get(name) ?? ""),
    complete: (name: string, at: number) => complete(service, name, at),
    describeCompletion: (name: string, at: number, entry: string) =>
      describe(service.getCompletionEntryDetails(name, at, entry)),
    hover: (name: string, at: number): (Description & Span) | undefined => {
      const found = service.getQuickInfoAtPosition(name, at);
      const description = describe(found);
      return found && description && { ...description, ...toSpan(found.textSpan) };
    },
    signature: (name: string, at: number) => signature(service, name, at),
    fixes: (name: string, { from, to }: Span, codes: readonly number[]): Fix[] =>
      service
        .getCodeFixesAtPosition(name, from, to, codes, format, {})
        .filter(({ changes }) => changes.every(({ fileName }) => fileName === name))
        .map(({ description, changes }) => ({
          title: description,
          edits: changes.flatMap(({ textChanges }) => textChanges.map(toEdit)),
        })),
    format: (name: string): Edit[] =>
      service.getFormattingEditsForDocument(name, format).map(toEdit),
    define: (name: string, at: number): Span | undefined =>
      within(name, service.getDefinitionAtPosition(name, at))[0],
    findReferences: (name: string, at: number): Span[] =>
      within(name, service.getReferencesAtPosition(name, at)),
    rename: (name: string, at: number, newName: string) => rename(service, name, at, newName),
    inferSchemas: (name: string): Inference => inferSchemas(typescript, service.getProgram(), name),
  };
}

/** Whether the code has no effect or is deprecated. Other suggestions of the compiler are not shown. */
function isTagged({ reportsUnnecessary, reportsDeprecated }: Diagnostic): boolean {
  return reportsUnnecessary !== undefined || reportsDeprecated !== undefined;
}

const severities = ["warning", "error", "hint", "hint"] as const;

function check(service: LanguageService, name: string, text: string): Problem[] {
  const found = [
    ...service.getSyntacticDiagnostics(name),
    ...service.getSemanticDiagnostics(name),
    ...service.getSuggestionDiagnostics(name).filter(isTagged),
  ];
  return found.map((one) => {
    const from = one.start ?? 0;
    const before = text.slice(0, from).split("\n");
    return {
      from,
      to: from + (one.length ?? 0),
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      severity: severities[one.category] ?? "hint",
      message: typescript.flattenDiagnosticMessageText(one.messageText, "\n"),
      code: one.code,
      ...(one.reportsUnnecessary === undefined ? {} : { tag: "unnecessary" as const }),
      ...(one.reportsDeprecated === undefined ? {} : { tag: "deprecated" as const }),
    };
  });
}

function complete(service: LanguageService, name: string, at: number): Completion[] {
  const found = service.getCompletionsAtPosition(name, at, undefined);
  return (found?.entries ?? []).map((entry) => ({
    name: entry.name,
    kind: entry.kind,
    rank: Number.parseInt(entry.sortText, 10) || 0,
    isDeprecated: entry.kindModifiers?.includes("deprecated") ?? false,
    ...(entry.replacementSpan === undefined ? {} : { from: entry.replacementSpan.start }),
  }));
}

function describe(found: Described | undefined): Description | undefined {
  return (
    found && {
      signature: join(found.displayParts),
      documentation: join(found.documentation),
      tags: (found.tags ?? []).map(({ name, text }) => ({ name, text: join(text) })),
    }
  );
}

function signature(service: LanguageService, name: string, at: number): SignatureHelp | undefined {
  const found = service.getSignatureHelpItems(name, at, {});
  const item = found?.items[found.selectedItemIndex];
  if (found === undefined || item === undefined) return undefined;
  const separator = join(item.separatorDisplayParts);
  const parameters = item.parameters.map(({ displayParts }) => join(displayParts));
  const index = found.argumentIndex;
  const rest = parameters.slice(index + 1);
  return {
    before: [join(item.prefixDisplayParts), ...parameters.slice(0, index)]
      .map((part, place) => (place === 0 ? part : part + separator))
      .join(""),
    parameter: parameters[index] ?? "",
    after: [rest.map((part) => separator + part).join(""), join(item.suffixDisplayParts)].join(""),
    documentation: join(item.parameters[index]?.documentation) || join(item.documentation),
  };
}

/** Undefined if the name cannot be changed, because it is declared outside of the file. */
function rename(
  service: LanguageService,
  name: string,
  at: number,
  newName: string,
): Edit[] | undefined {
  if (!service.getRenameInfo(name, at, {}).canRename) return undefined;
  const found = service.findRenameLocations(name, at, false, false, {
    providePrefixAndSuffixTextForRename: true,
  });
  if (found === undefined || found.some(({ fileName }) => fileName !== name)) return undefined;
  return found.map(({ textSpan, prefixText = "", suffixText = "" }) => ({
    ...toSpan(textSpan),
    insert: prefixText + newName + suffixText,
  }));
}

function join(parts: readonly TextPart[] | undefined): string {
  return (parts ?? []).map(({ text }) => text).join("");
}

function within(name: string, places: readonly Place[] | undefined): Span[] {
  return (places ?? [])
    .filter(({ fileName }) => fileName === name)
    .map(({ textSpan }) => toSpan(textSpan));
}

function toSpan({ start, length }: { start: number; length: number }): Span {
  return { from: start, to: start + length };
}

function toEdit({ span, newText }: TextChange): Edit {
  return { ...toSpan(span), insert: newText };
}

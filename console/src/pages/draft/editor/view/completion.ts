import { autocompletion, startCompletion } from "@codemirror/autocomplete";
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { EditorView } from "@codemirror/view";
import type { Completion as Found, Edit, Fix } from "../compiler/answers.ts";
import { ask } from "../language.ts";
import { messages } from "../messages.ts";
import type { FindHelp, ProblemHelp } from "../problem-help.ts";
import { problemsAt } from "./diagnostics.ts";
import { describe } from "./description.ts";

const word = /[\w$]*$/;
/** What opens the list while typing, besides the start of a word: a member, and the start of a string. */
const triggers = /[.'"`/]$/;

/** The kinds of the compiler that the list has an icon for. */
const types: Readonly<Record<string, string>> = {
  keyword: "keyword",
  const: "constant",
  let: "variable",
  var: "variable",
  "local var": "variable",
  parameter: "variable",
  property: "property",
  getter: "property",
  setter: "property",
  function: "function",
  "local function": "function",
  method: "method",
  class: "class",
  interface: "interface",
  type: "type",
  enum: "enum",
  "enum member": "enum",
  module: "namespace",
  string: "text",
};

/** Completes code by its types, and offers quick fixes (Ctrl or Command with a period) in the same list. */
export function completion(path: string, findHelp: FindHelp): Extension {
  const fixes = new WeakMap<EditorView, readonly Completion[]>();
  const source = async (context: CompletionContext) => {
    const { view } = context;
    const offered = view && fixes.get(view);
    if (view !== undefined && offered !== undefined) {
      fixes.delete(view);
      return listFixes(offered, context.pos);
    }
    return complete(path, context);
  };
  const offerFixes = (view: EditorView) => {
    const { head } = view.state.selection.main;
    const [problem] = problemsAt(view.state, head);
    if (problem === undefined) return false;
    const own = findHelp(problem.code, problem.message)?.fix;
    ask("fixes", path, { from: problem.from, to: problem.to }, [problem.code])
      .catch(() => [])
      .then((found) => {
        fixes.set(view, [...(own === undefined ? [] : [toAction(own)]), ...found.map(toFix)]);
        return startCompletion(view);
      })
      .catch(() => undefined);
    return true;
  };
  return [
    autocompletion({
      override: [source],
      optionClass: ({ type }) => (type === "deprecated" ? "cm-deprecated" : ""),
    }),
    keymap.of([
      { key: "Mod-.", run: offerFixes },
      { key: "Mod-Space", run: startCompletion },
    ]),
  ];
}

async function complete(
  path: string,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const before = context.matchBefore(word);
  const from = before?.from ?? context.pos;
  const isTyped = from < context.pos || context.matchBefore(triggers) !== null;
  if (!context.explicit && !isTyped) return null;
  const found = await ask("complete", path, context.pos).catch(() => []);
  if (found.length === 0 || context.aborted) return null;
  return {
    from: found[0]?.from ?? from,
    options: found.map((one) => toOption(path, context.pos, one)),
    validFor: /^[\w$]*$/,
  };
}

function toOption(path: string, at: number, { name, kind, rank, isDeprecated }: Found): Completion {
  return {
    label: name,
    type: isDeprecated ? "deprecated" : (types[kind] ?? "variable"),
    // The compiler ranks members and locals from 10 on, and global names later.
    boost: Math.max(-20, 12 - rank) - (isDeprecated ? 20 : 0),
    info: async () => {
      const description = await ask("describeCompletion", path, at, name).catch(() => undefined);
      return description === undefined ? null : describe(description);
    },
  };
}

function toFix({ title, edits }: Fix): Completion {
  return { label: title, apply: (view) => applyEdits(view, edits) };
}

function toAction({ title, apply }: NonNullable<ProblemHelp["fix"]>): Completion {
  return { label: title, apply: () => apply() };
}

function listFixes(options: readonly Completion[], at: number): CompletionResult {
  const none: Completion = { label: messages.noFixes, apply: () => undefined };
  return { from: at, filter: false, options: options.length === 0 ? [none] : options };
}

/** Applies changes of the compiler as one step of the undo history. */
export function applyEdits(view: EditorView, edits: readonly Edit[]): void {
  const { length } = view.state.doc;
  // The text may have been changed since the compiler was asked.
  if (edits.some(({ to }) => to > length)) return;
  view.dispatch({ changes: [...edits], userEvent: "input.complete", scrollIntoView: true });
}

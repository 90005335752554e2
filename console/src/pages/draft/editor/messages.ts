/** Texts of the code editor. */
export const messages = {
  code: (fileName: string) => `Code, ${fileName}`,
  keyboardHint: "Tab indents. Press Escape and then Tab to leave the editor.",
  runHint: "Ctrl or ⌘ with Enter runs the tool.",
  rename: "New name",
  renameButton: "Rename",
  noFixes: "No quick fixes",
  startFailed: "The editor failed to start. Try again.",
  /** The texts of the editor that differ from those of its library. */
  phrases: {
    next: "Next",
    previous: "Previous",
    all: "Select all",
    "match case": "Match case",
    "by word": "Whole words",
    regexp: "Regular expression",
    replace: "Replace",
    "replace all": "Replace all",
    close: "Close",
  },
  packages: {
    loading: "Loading the types of the packages…",
    failed: (problem: string) => `The types of the packages could not be loaded: ${problem}`,
    untyped: (names: string) => `${names}: no type declarations, treated as any.`,
    tooLarge: (names: string) => `${names}: type declarations too large, treated as any.`,
    retry: "Try again",
  },
  problems: {
    title: "Problems",
    checking: "Checking…",
    count: (count: number) =>
      count === 0 ? "No problems" : count === 1 ? "1 problem" : `${count} problems`,
    line: (line: number) => `Line ${line}:`,
    addInput: (name: string) => `Add ${name} to the input`,
    addPackage: (name: string) => `Add package ${name}`,
    addingPackage: (name: string) => `Adding package ${name}…`,
    noNodeModule: (name: string) => `The sandbox doesn't have the Node.js module ${name}.`,
    inputAdded: (name: string) => `Added ${name} to the input`,
    more: (count: number) => `And ${count} more.`,
  },
} as const;

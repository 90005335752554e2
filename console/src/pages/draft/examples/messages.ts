/** Texts of the tab Examples and of the results of running them. */
export const messages = {
  panel: {
    title: "Examples",
    lead: "Examples appear in the documentation, and show before you publish whether the tool still works.",
    add: "Add example",
    emptyTitle: "No examples",
    empty:
      "An example shows an input and its output. The quickest way to add one is to run the tool and save the run as an example.",
    heading: (number: number) => `Example ${number}`,
    remove: (number: number) => `Remove example ${number}`,
    name: "Name",
    input: "Input",
    output: "Output",
    expectedOutput: "Expected output",
  },
  expectation: {
    label: "Passes if",
    types: {
      subset: "The output contains these values",
      equal: "The output equals this",
      snapshot: "The output is the same as before (snapshot)",
      schema: "The output matches a JSON Schema",
      pattern: "A value matches a regular expression",
      failure: "The run fails with an error code",
    },
    schema: "JSON Schema of the output",
    path: "Path of the value",
    pathHint: "A JSON Pointer, for example /items/0/name.",
    pattern: "Regular expression",
    code: "Error code",
    patternRequired: "Enter a regular expression.",
    unknownCode: "Runs don't usually fail with this error code. Check its spelling.",
    snapshotHint: "Stored when the examples run for the first time.",
  },
  results: {
    title: "Examples",
    run: "Run examples",
    warning: "These are real runs: actions of the tool, such as sending a message, happen.",
    remaining: (count: number) => `${count} remaining…`,
    summary: (passed: number, failed: number, skipped: number) =>
      [
        `${passed} passed`,
        `${failed} failed`,
        ...(skipped === 0 ? [] : [`${skipped} skipped`]),
      ].join(", "),
    outdated: "Changed since",
    statuses: { passed: "Passed", failed: "Failed", skipped: "Skipped" },
    expected: "Expected",
    received: "Received",
    accept: "Use this output",
    acceptNamed: (number: number) => `Use the new output for example ${number}`,
    differs: (paths: readonly string[]) => {
      const named = paths.slice(0, 3).map((path) => (path === "" ? "/" : path));
      const more = paths.length - named.length;
      return `The output differs at ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
    },
    history: "Earlier results",
    missingCredentials: "A credential is missing. Run the draft once to add it.",
    missingFile: "The input names a file that is not in this workspace.",
  },
} as const;

const maxNamedInputs = 6;

/** Texts of the publish dialog. */
export const messages = {
  dialog: {
    newTool: "Publish new tool",
    existingTool: (name: string) => `Publish ${name}`,
    newerVersion: (live: number | undefined, base: number | null) =>
      `${live === undefined ? "A newer version" : `Version ${live}`} was published after you started this draft from version ${base}. Review the changes below: publishing replaces the live version.`,
    published: (version: number) => `Published version ${version}`,
    continueEditing: "Continue editing",
    publish: "Publish",
    publishAnyway: "Publish anyway",
    duplicate:
      "The operation or tool that this draft was imported from has been published already. Publishing creates a second tool of it.",
    publishAnother: "Publish second tool",
  },
  changes: {
    title: "Changes",
    newTool: "Publishing creates a tool in this workspace, with a name made from its title.",
    visibilities: {
      private: "Only you can see and run it.",
      workspace: "All members of this workspace and their agents can run it immediately.",
      public: "All members of every workspace on this server can install and run it.",
    },
    changeVisibility: "You can change that under Details.",
    sameCode: "No changes to the code.",
    sameSettings: "No other changes.",
    live: (version: number) => `Version ${version}, live`,
    version: (version: number) => `Version ${version}`,
    draft: "This draft",
  },
  differences: {
    label: "Differences",
    path: "Path",
    root: "Entire value",
    none: "None",
  },
  invalidFields: {
    title: "Some fields contain invalid text, which will not be published:",
  },
  toolUnavailable: {
    body: (name: string | null) =>
      `The tool ${name} no longer exists, or you can no longer edit it. You can copy your changes to a new tool.`,
    createDraft: "Create draft of new tool",
  },
  checklist: {
    title: "Before you publish",
    warning: "Warning",
    blocked: "Must be fixed",
    open: {
      code: "Open code",
      input: "Open input",
      output: "Open output",
      access: "Open access",
      details: "Open details",
      examples: "Open examples",
      run: "Open run",
    },
    credentialWithoutHosts: (name: string) =>
      `${name} has no hosts, so it is never sent to a service. Add its hosts, or remove the credential.`,
    typeErrors: (count: number, line: number, message: string) =>
      `${count === 1 ? "The code has a type error" : `The code has ${count} type errors`}, in line ${line}: ${message}`,
    personalCredential: (name: string) =>
      `${name} is your personal credential. Other members get “Credentials required” until they add their own, or until it is added for the workspace.`,
    inputsWithoutDescription: (names: readonly string[]) => {
      const more = names.length - maxNamedInputs;
      const named = names.slice(0, maxNamedInputs).join(", ");
      return `Inputs without a description: ${named}${more > 0 ? ` and ${more} more` : ""}. Agents need descriptions to fill them in.`;
    },
    templateText: {
      title: "The title is still the template's. Agents choose a tool by it.",
      description: "The description is still the template's. Agents choose a tool by it.",
    },
    noExamples:
      "There are no examples. They show agents how to call the tool, and you whether it works.",
    examplesNotRun: "The examples were not run since the last change.",
    someExamplesNotRun: "Some examples were not run since the last change.",
    examplesFailed: (count: number) =>
      count === 1 ? "1 example failed." : `${count} examples failed.`,
  },
  replay: {
    title: "Replay",
    runs: "Runs of the live version",
    lastRuns: (count: string) => `Last ${count}`,
    start: "Start replay",
    warning: "Replays are real runs: actions of the tool, such as sending a message, happen again.",
    remaining: (count: number) => `${count} remaining…`,
    nothing: "Nothing to replay.",
    allSame: (count: number) => `${count} of ${count} unchanged.`,
    someDifferent: (different: number, count: number) => `${different} of ${count} changed.`,
    changed: "changed",
    unchanged: "unchanged",
    before: "Before",
    after: "Now",
    run: (time: string) => `Run from ${time}`,
  },
} as const;

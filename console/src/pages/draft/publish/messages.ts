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
  replay: {
    title: "Replay",
    hint: "Save a run as an example to replay it here before you publish.",
    examples: (count: number) => (count === 1 ? "1 example" : `${count} examples`),
    runs: "Runs of the live version",
    noRuns: "None",
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
    example: (number: number) => `Example ${number}`,
    run: (time: string) => `Run from ${time}`,
    notRun: "not run",
  },
} as const;

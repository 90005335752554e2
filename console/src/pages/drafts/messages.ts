/** Texts of the page with drafts and templates. */
export const messages = {
  title: "Drafts",
  lead: "Start a tool from a template, or continue a draft.",
  drafts: {
    title: "Your drafts",
    onlyYou: "Only you can see them.",
    retention: (days: number) =>
      `A draft is deleted after ${days} days without being saved or run.`,
    emptyTitle: "No drafts",
    empty: "Drafts appear here until you publish or discard them.",
    untitled: "Untitled",
    saved: "Saved",
    importedFrom: "From the import",
    newTool: "New tool",
    discard: (title: string) => `Discard ${title}`,
  },
  start: {
    label: "Start options",
    startFromTemplate: "Use template",
    startFromNamed: (title: string) => `Use template ${title}`,
    examples: (count: number) => `Example tools (${count})`,
    copyOf: "Copy of an existing tool",
    searchTools: "Search tools to copy",
    noTools: "No tools found.",
    duplicate: "Duplicate",
    duplicateNamed: (title: string) => `Duplicate ${title}`,
  },
  discard: {
    title: "Discard this draft?",
    confirm: "Discard draft",
    body: "Your changes are deleted:",
    toolUnchanged: (toolName: string) => `The published tool ${toolName} doesn't change.`,
    done: "Draft discarded",
  },
} as const;

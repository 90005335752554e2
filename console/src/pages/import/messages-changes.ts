const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** Texts of the changes to review. */
export const changeMessages = {
  list: "Changes to review",
  showMore: "Show more",
  empty: {
    title: "No changes to review",
    body: {
      openapi:
        "When the document changes an operation that a tool was made from, the difference appears here. Tools stay as they are until you apply it.",
      mcp: "When the server changes or removes a tool that you imported, the tool is put on hold and the difference appears here.",
    },
  },
  hold: {
    title: "What a hold means",
    body: "The server changed these definitions after they were approved. Their runs are refused until someone has reviewed and applied the change. The approved definition stays visible to people and agents.",
  },
  onHold: "On hold",
  kinds: { changed: "Changed", removed: "Removed" },
  edited: "Edited here",
  editedWarning:
    "This tool was edited after the import. Applying the change discards the edits. A draft combines both.",
  unknownEdits:
    "It was imported by an older version, which did not record what it generated. So choose for each part.",
  combined: {
    list: "What differs",
    changedBy: {
      edit: "Edited here",
      source: "Changed by the source",
      both: "Changed on both sides",
    },
    edit: (part: string) => `${part}: your edit`,
    source: (part: string) => `${part}: the change`,
    pick: (part: string) => `${part} in the draft`,
    open: "Choose one",
    picks: { edited: "Keep the edit", changed: "Take the change" },
  },
  combinedDraft: "Create a draft with the change",
  combinedDraftOf: (name: string) => `Create a draft with the change of ${name}`,
  pickFirst: "Choose each part that both sides changed.",
  draftCreated: "The draft is ready. The change stays in this list until you publish the draft.",
  openDraft: "Open draft",
  discard: {
    title: (count: number) =>
      count === 1 ? "Discard the edits of this tool?" : `Discard the edits of ${count} tools?`,
    body: "The change replaces what was edited here. Earlier versions stay in the version history.",
    action: (_count: number) => "Discard edits and apply",
  },
  removed: {
    openapi: "The document no longer has this operation. Applying the change archives the tool.",
    mcp: "The server no longer offers this tool. Applying the change archives it.",
  },
  notMade: "No tool can be made from the changed item:",
  notes: "Notes",
  reviewed: "Reviewed",
  reviewedOf: (name: string) => `I have reviewed the change of ${name}`,
  apply: "Apply change",
  applyOf: (name: string) => `Apply change of ${name}`,
  archive: "Archive tool",
  archiveOf: (name: string) => `Archive tool ${name}`,
  archiving: {
    title: (count: number) => (count === 1 ? "Archive this tool?" : `Archive ${count} tools?`),
    body: "Agents and users can no longer run archived tools. Their past runs are kept.",
    also: (count: number) =>
      `The other ${counted(count, "change is", "changes are")} applied as well.`,
    action: (count: number) => (count === 1 ? "Archive tool" : `Archive ${count} tools`),
  },
  draft: "Create draft",
  draftOf: (name: string) => `Create draft of the change of ${name}`,
  bar: {
    label: "Reviewed changes",
    selected: (count: number) => `${count} reviewed`,
    apply: "Apply reviewed",
    drafts: "Create drafts",
  },
  one: (name: string) => `Showing only the change of ${name}.`,
  showAll: "Show all changes",
  oneEmpty: (name: string) => `${name} has no change to review. It matches the last check.`,
  archived: (name: string) => `Archived ${name}`,
  applied: (name: string) => `Applied the change of ${name}`,
  drafted: (name: string) => `Created a draft of the change of ${name}`,
  manyApplied: (count: number) => `Applied ${count} changes`,
  manyDrafted: (count: number) => `Created ${count} drafts`,
  failed: (name: string, problem: string) => `${name}: ${problem}`,
  buildersOnly: "Builders and admins can review changes. Ask an admin to change your role.",
} as const;

/** Texts of the draft page: its frame, its header, and the fields that its tabs share. */
export const messages = {
  page: {
    title: "Draft",
    newTool: "New tool",
    newDraftCreated: "New draft created",
    tabList: "Parts of the tool",
    run: "Run",
    tabs: {
      code: "Code",
      input: "Input",
      output: "Output",
      access: "Access",
      details: "Details",
      examples: "Examples",
    },
  },
  notFound: {
    page: "Draft not found",
    title: "This draft no longer exists",
    body: "It was published or discarded, or it belongs to another workspace. Only its author can open a draft.",
    unsavedTitle: "You have unsaved changes from this draft",
    unsavedBody:
      "The draft was published or discarded, or it belongs to another workspace. This browser still has the changes that were not saved.",
    copyToNewDraft: "Copy to new draft",
    viewDrafts: "View drafts",
    deleteChanges: "Delete changes",
  },
  fields: {
    invalidJson: "This isn't valid JSON. It is stored in this browser until you fix it.",
    objectRequired:
      "Enter a JSON object, such as { }. Your text is stored in this browser until then.",
    invalidNumber: "Enter a number.",
  },
  header: {
    importedFrom: "From the import",
    toolTitle: "Tool title",
    run: "Run",
    publish: "Publish",
    more: "More actions",
    copyToNewDraft: "Copy to new draft",
    discard: "Discard draft",
    editing: "Editing",
    basedOn: (version: number | null) =>
      `, based on version ${version}. Nothing changes for others until you publish.`,
  },
  saveStatus: {
    notStored: "Not saved: this browser has no space left for a copy",
    saved: "Saved",
    saving: "Saving…",
    offline: "Not saved: you're offline. Your changes are stored in this browser",
    retrying: (problem: string) =>
      `Not saved yet, retrying. Your changes are stored in this browser. ${problem}`,
    ended: "Published or discarded elsewhere. Changes are no longer saved",
    conflict: "Not saved: changed elsewhere. Your changes are stored in this browser",
    refused: (problem: string) => `Not saved. Your changes are stored in this browser. ${problem}`,
    conflictError: "This draft was changed elsewhere. Choose a version first.",
    endedError: "This draft was published or discarded elsewhere.",
  },
  conflict: {
    title: "This draft was changed elsewhere",
    body: "Another tab or device saved this draft while you had unsaved changes here. Compare both versions and choose one. Last saved elsewhere:",
    postponed: "This draft was changed elsewhere. Your changes are stored in this browser.",
    choose: "Choose version",
    theirs: "Saved elsewhere",
    mine: "Your changes",
    acceptTheirs: "Use the other version",
    keepMine: "Use my version",
  },
  discard: {
    title: "Discard this draft?",
    confirm: "Discard draft",
    body: "Your changes are deleted.",
    toolUnchanged: (toolName: string) => `The published tool ${toolName} doesn't change.`,
    done: "Draft discarded",
  },
  ended: {
    body: "This draft was published or discarded elsewhere. What you see exists only on this page.",
    copyToNewDraft: "Copy to new draft",
    viewDrafts: "View drafts",
  },
} as const;

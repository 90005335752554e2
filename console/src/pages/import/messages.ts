const number = (count: number) => count.toLocaleString("en");
const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** Texts of the page of one import. Items are operations of a document, or tools of a server. */
export const messages = {
  title: "Import",
  notFound: {
    title: "Import not found",
    body: "It may have been deleted, or it belongs to another of your workspaces.",
    action: "View imports",
  },
  all: "All imports",
  menu: "Actions for this import",
  menuButton: "More actions",
  facts: {
    title: "About this import",
    source: { openapi: "Document", mcp: "Server" },
    uploaded: "Uploaded file",
    version: "Version",
    noVersion: "Not stated",
    format: { openapi: "Format", mcp: "Protocol revision" },
    credential: "Credential",
    noCredential: "None",
    formats: {
      "swagger-2.0": "Swagger 2.0",
      "openapi-3.0": "OpenAPI 3.0",
      "openapi-3.1": "OpenAPI 3.1",
      "openapi-3.2": "OpenAPI 3.2",
      "postman-2.0": "Postman collection v2.0",
      "postman-2.1": "Postman collection v2.1",
    },
    tools: "Tools",
    toolsOf: (tools: number, items: number) => `${number(tools)} of ${number(items)} imported`,
    checked: "Last successful check",
    nextCheck: "Next check",
    noNextCheck: "When you upload a new version",
    description: { openapi: "Description", mcp: "Instructions" },
  },
  failing: "The last check failed, so changes may be missing. Existing tools are unaffected.",
  check: {
    action: "Check now",
    upload: "Upload new version",
    uploading: (percent: number) => `Uploading… ${percent}%`,
    unchanged: "No changes found",
    changed: (count: number) => (count === 1 ? "1 change to review" : `${count} changes to review`),
    mismatch: {
      title: "Replace the document with that of another API?",
      body: "Tools of operations that it lacks are then shown as removed.",
      action: "Replace document",
    },
  },
  rename: {
    open: "Rename import",
    title: "Rename import",
    name: "Name",
    action: "Save",
  },
  delete: {
    action: "Delete import",
    title: (title: string) => `Delete the import ${title}?`,
    tools: "Its tools",
    choices: {
      keep: {
        label: "Keep the tools",
        hint: "They stay available. Their definitions are no longer checked, and those on hold stay on hold.",
      },
      archive: {
        label: "Archive the tools",
        hint: "They can no longer be found or run. This can't be undone.",
      },
    },
    noTools: "No tools come from it.",
    unreviewed: (count: number) =>
      `${counted(count, "tool has a change", "tools have changes")} that no one has reviewed. If you keep the tools, these stay on hold.`,
    done: "Import deleted",
  },
  tabs: {
    label: "Parts of the import",
    items: { openapi: "Operations", mcp: "Tools" },
    changes: "Changes",
    changesCount: (count: number) => `Changes (${count})`,
  },
} as const;

/** Texts of the list of items, and of creating tools from them. */
export const itemMessages = {
  search: { openapi: "Search operations", mcp: "Search tools" },
  placeholder: "Words in the name, path, description or tag",
  filters: "Filter items",
  tag: "Tag",
  anyTag: "All tags",
  tagCount: (name: string, count: number) => `${name} (${count})`,
  imported: "Imported",
  importedChoices: { any: "Imported or not", yes: "Imported", no: "Not imported" },
  list: { openapi: "Operations", mcp: "Tools of the server" },
  total: {
    openapi: (count: number) => counted(count, "operation", "operations"),
    mcp: (count: number) => counted(count, "tool", "tools"),
  },
  empty: {
    title: { openapi: "No operations", mcp: "No tools" },
    body: {
      openapi: "The document has no operations that could become tools.",
      mcp: "The server lists no tools for this credential.",
    },
    noMatch: "No matches",
    noMatchBody: "Change the search or the filters.",
  },
  select: (title: string) => `Select ${title}`,
  size: (size: string) => `${size} schema`,
  deprecated: "Deprecated",
  tool: "View tool",
  toolOf: (title: string) => `View tool made from ${title}`,
  draft: "Open draft",
  draftOf: (title: string) => `Open draft made from ${title}`,
  filterByTag: (tag: string) => `Filter by tag ${tag}`,
  bar: {
    label: "Selection",
    selected: (count: number, size: string) => `${number(count)} selected, ${size} of schemas`,
    hint: "Nothing is created until you choose it.",
    selectAll: "Select all that match",
    onlyFirst: (first: number, total: number | undefined) =>
      total === undefined
        ? `Only the first ${number(first)} matches are selected.`
        : `Only the first ${number(first)} of ${number(total)} are selected.`,
    selectRest: (total: number | undefined) =>
      total === undefined ? "Select all matches" : `Select all ${number(total)}`,
    clear: "Clear selection",
    drafts: "Create drafts",
    publish: "Publish tools",
  },
  create: {
    titles: {
      drafts: (count: number) => (count === 1 ? "Create a draft" : `Create ${count} drafts`),
      publish: (count: number) => (count === 1 ? "Publish a tool" : `Publish ${count} tools`),
    },
    actions: {
      drafts: (count: number) => `Create ${counted(count, "draft", "drafts")}`,
      publish: (count: number) => `Publish ${counted(count, "tool", "tools")}`,
    },
    leads: {
      drafts: "Only you see drafts until you publish them.",
      publish:
        "The tools can be run as soon as they are published. Their titles and descriptions come from the import and are shown to people and agents.",
    },
    server: "Server",
    otherServer: "Another URL",
    serverUrl: "Base URL",
    serverUrlHint: "The address that the paths of the operations are added to.",
    serverUrlPlaceholder: "https://api.example.com/v1",
    requestsTo: "Requests go to",
    serverNeeded: "Enter the base URL of the API, which the document doesn't state.",
    mcpServer: "Each run calls the tool on",
    signIn: {
      title: "Authentication",
      titleOf: (count: number, title: string) =>
        count === 1
          ? `Authentication of ${title}`
          : `Authentication of ${title} and ${counted(count - 1, "other", "others")}`,
      label: "How requests authenticate",
      declared: (names: readonly string[]) => names.join(" and "),
      ways: {
        none: "No credentials",
        bearer: "Bearer token",
        header: "API key in a header",
        query: "API key in the query",
        basic: "User name and password",
      },
      names: { header: "Name of the header", query: "Name of the query parameter" },
      token: "Bearer token",
      key: "API key",
      user: "User name",
      password: "Password",
    },
    unsupported: (scheme: string) =>
      `${scheme}: this way to sign in is not supported, so the tools send nothing for it.`,
    scheme: (name: string, kind: string) => `${name} (${kind})`,
    user: (label: string) => `${label}: user name`,
    password: (label: string) => `${label}: password`,
    kinds: {
      api_key: "API key",
      bearer: "bearer token",
      basic: "user name and password",
      oauth2: "OAuth 2",
      unsupported: "not supported",
    },
    visibility: "Available to",
    visibilities: { workspace: "All members of the workspace", private: "Only you" },
    pending: (done: number, count: number) => `${done} of ${count} done…`,
  },
  publishDrafts: {
    open: (count: number) => `Publish ${counted(count, "draft", "drafts")}`,
    action: "Publish",
    lead: "Your drafts of new tools from this import, as you last saved them:",
  },
  result: {
    title: "Result",
    list: "What was created",
    summary: {
      drafts: (count: number) => `Created ${counted(count, "draft", "drafts")}.`,
      publish: (count: number) => `Published ${counted(count, "tool", "tools")}.`,
    },
    notCreated: (count: number) => `Not created: ${count}.`,
    problem: "Not created:",
    done: "Done",
  },
} as const;

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
  draftCreated: "The draft is ready. Publish it to end the change.",
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
    body: "Agents and users can no longer run what is archived. Its runs stay.",
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

const number = (count: number) => count.toLocaleString("en");
const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** Texts of the page of one import. Items are operations of a document, or tools of a server. */
export const messages = {
  title: "Import",
  notFound: {
    page: "Import not found",
    title: "This import doesn't exist",
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
    drafts: (count: number) => counted(count, "draft", "drafts"),
    checked: "Last successful check",
    nextCheck: "Next check",
    noNextCheck: "When you upload a new version",
    description: { openapi: "Description", mcp: "Instructions" },
  },
  failing: {
    openapi: "The last check failed, so changes may be missing. Existing tools are unaffected.",
    mcp: "The last check failed, so changes may be missing. After a day without a check, the tools are put on hold.",
  },
  bridge: {
    title: "The bridge isn't connected",
    body: "Runs of its tools fail until it is started. Start it on the machine with the server, with the command of the server after the dashes:",
    copy: "Command",
    command: (name: string) => `toolhost bridge --name ${name} -- COMMAND`,
  },
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
    drafts: "Your drafts of it",
    draftChoices: {
      keep: {
        label: (count: number) => (count === 1 ? "Keep the draft" : `Keep the ${count} drafts`),
        hint: "They stay on the Drafts page, and no longer belong to an import.",
      },
      delete: {
        label: (count: number) => (count === 1 ? "Delete the draft" : `Delete the ${count} drafts`),
        hint: "Edits that you made in them are lost.",
      },
    },
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
  state: "State",
  states: {
    any: "Any state",
    tool: "Imported",
    draft: "With a draft",
    none: "Not imported",
    changed: "Changed",
    on_hold: "On hold",
    new: "New",
  },
  marks: { onHold: "On hold", isNew: "New", draft: "Draft" },
  method: "Method",
  anyMethod: "All methods",
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
    selectAll: "Select all",
    selectAllMatches: "Select all that match",
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
      drafts: (count: number) => `Create ${counted(count, "draft", "drafts")}`,
      publish: (count: number) => `Publish ${counted(count, "tool", "tools")}`,
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
    items: (count: number) => `Titles (${number(count)})`,
    titleOf: (key: string) => `Title of ${key}`,
    fewerDrafts: (free: number, max: number) =>
      free === 0
        ? `You have ${number(max)} drafts, which is the limit. Publish these as tools, or delete drafts first.`
        : `You can have ${number(max)} drafts, so only the first ${number(free)} become drafts. The others stay selected.`,
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
          ? `Authentication for “${title}”`
          : `Authentication for “${title}” and ${count - 1} more`,
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
    scheme: (name: string, kind: string) =>
      kind
        .toLowerCase()
        .replaceAll(" ", "")
        .includes(name.toLowerCase().replaceAll(/[\s_-]/g, ""))
        ? kind
        : `${name} (${kind})`,
    user: (label: string) => `${label}: user name`,
    password: (label: string) => `${label}: password`,
    kinds: {
      api_key: "API key",
      bearer: "Bearer token",
      basic: "User name and password",
      oauth2: "OAuth 2",
      unsupported: "Not supported",
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
  deleteDrafts: {
    open: (count: number) => `Delete ${counted(count, "draft", "drafts")}`,
    title: (count: number) => `Delete ${counted(count, "draft", "drafts")}?`,
    body: "Your drafts of new tools from this import are deleted, with your edits. Published tools are unaffected.",
  },
  result: {
    title: "Result",
    list: "What was created",
    summary: {
      drafts: (count: number) => `Created ${counted(count, "draft", "drafts")}.`,
      publish: (count: number) => `Published ${counted(count, "tool", "tools")}.`,
    },
    notCreated: (count: number) => `${counted(count, "item was", "items were")} not created.`,
    problem: "Not created:",
    ofTools: (count: number) => `${number(count)} tools:`,
    done: "Done",
  },
} as const;

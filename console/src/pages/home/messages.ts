/** Texts of the list of tools. */
export const messages = {
  title: "Tools",
  catalog: "Catalog",
  createTool: "Create tool",
  search: "Search tools",
  searchPlaceholder: "What do you want to do? Press / to search",
  drafts: {
    title: "Drafts",
    viewAll: "View all drafts",
    untitled: "Untitled",
    newTool: "New tool",
    change: "Unpublished changes",
    saved: "saved",
  },
  results: {
    label: "Search results",
    count: (count: number) =>
      count === 0 ? "No tools found" : count === 1 ? "1 tool found" : `${count} tools found`,
    best: (count: number) => `The ${count} best matches`,
    searching: "Searching…",
    noneTitle: "No matching tools",
    none: (query: string) =>
      `No tool matches “${query}”. The catalog may have one from another workspace.`,
    noneForBuilder: (query: string) =>
      `No tool matches “${query}”. Search the catalog for one from another workspace, or create your own.`,
    searchCatalog: "Search catalog",
  },
  unmet: {
    title: "Unmet searches",
    lead: "What at least three members searched for without running a tool. Only builders see this.",
    people: (count: number) => `${count} people`,
    noTool: "No tool found",
    notRun: "Tools found, but none run",
  },
  reasons: {
    label: "Matches:",
    fields: {
      title: "title",
      description: "description",
      parameters: "parameter names",
      details: "details",
    },
    kinds: {
      word: "",
      synonym: "synonym",
      translation: "translation",
      phrase: "phrase",
      value: "value",
      similar: "similar word",
      joined: "joined words",
      name: "exact name",
      learned: "people who searched for it ran this tool",
      meaning: "similar meaning",
    },
  },
  lists: {
    label: "Tools by origin",
    labels: {
      all: "All",
      mine: "Yours",
      shared: "Shared with you",
      installed: "Installed",
      archived: "Archived",
    },
    listLabel: (label: string) => `${label} tools`,
    browseCatalog: "Browse catalog",
    archived: {
      at: "Archived",
      restore: "Restore",
      restoreNamed: (title: string) => `Restore ${title}`,
      restored: (title: string) => `Restored ${title}`,
    },
    empty: {
      all: {
        title: "No tools yet",
        body: "A tool is a small program with a form. People run it here; agents and scripts run it over MCP and REST.",
        builder: "Create one from a template, or install one that others share.",
        runner: "A builder of this workspace can create one, or install one from the catalog.",
      },
      mine: {
        title: "You have no tools yet",
        builder: "Start with a template: a few lines of TypeScript are enough.",
        runner: "To create tools, ask an admin for the Builder role.",
      },
      shared: {
        title: "No shared tools",
        body: "Tools that other members share with this workspace appear here.",
      },
      installed: {
        title: "No installed tools",
        body: "The catalog has public tools of other workspaces. An installed tool is available to all members.",
      },
      archived: {
        title: "No archived tools",
        body: "Archived tools can't be found or run. You can restore them here.",
      },
    },
  },
} as const;

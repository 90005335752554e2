/** Texts of components that show a tool, or act on one. */
export const messages = {
  actions: {
    copyTitle: (title: string) => `Copy of ${title}`,
  },
  menu: {
    label: (title: string) => `Actions for ${title}`,
    open: (title: string) => `More actions for ${title}`,
    edit: "Edit tool",
    duplicate: "Duplicate tool",
    share: "Share tool",
    export: "Export as folder",
    archive: "Archive tool",
    uninstall: "Uninstall tool",
    archiveTitle: (title: string) => `Archive ${title}?`,
    uninstallTitle: (title: string) => `Uninstall ${title}?`,
    /** Replaces the title of a tool if there are several. */
    count: (count: number) => `${count} tools`,
    archived: (tools: string) => `Archived ${tools}`,
    undo: "Undo",
    tryAgain: "Try again",
    restored: (tools: string) => `Restored ${tools}`,
    notRestored: (tools: string, reason: string) => `Couldn't restore ${tools}. ${reason}`,
    uninstalled: (title: string) => `Uninstalled ${title}`,
    archiveBody:
      "It can no longer be found or run, including in workspaces that installed it. Its run records remain. You can restore it from the archived tools on the home page.",
    uninstallBody:
      "This workspace can no longer run it. Its run records remain, and you can install it again.",
  },
  picker: {
    all: "All tools",
    none: "No matching tools",
  },
  row: {
    run: "Run",
    runNamed: (title: string) => `Run ${title}`,
    updateAvailable: "Update available",
    onHold: "On hold",
    installed: "Installed",
    private: "Only you",
    workspace: "Workspace",
    public: "Public",
  },
} as const;

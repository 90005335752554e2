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
    archive: "Archive tool",
    uninstall: "Uninstall tool",
    archiveTitle: (title: string) => `Archive ${title}?`,
    uninstallTitle: (title: string) => `Uninstall ${title}?`,
    archived: (title: string) => `Archived ${title}`,
    uninstalled: (title: string) => `Uninstalled ${title}`,
    archiveBody:
      "No one can find or run it after that, including in workspaces that installed it. Its run records are kept. This cannot be undone.",
    uninstallBody:
      "No one in this workspace can run it after that. Its run records are kept, and you can install it again.",
  },
  row: {
    run: "Run",
    runNamed: (title: string) => `Run ${title}`,
    updateAvailable: "update available",
    installed: "installed",
    private: "only you",
    public: "public",
  },
} as const;

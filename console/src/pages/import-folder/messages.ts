/** Texts of importing the folder of a tool. */
export const messages = {
  title: "Import the folder of a tool",
  lead: "A folder with tool.json and tool.ts or tool.js becomes a draft: one that toolhost pull wrote, or the archive (.tar.gz) of Export as folder.",
  folder: "Folder or archive",
  hint: "Only these files and examples/*.json are read. Nothing is published.",
  choose: "Choose folder",
  replace: "Choose another folder",
  archive: "Choose archive",
  none: "Nothing chosen",
  files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
  required: "Choose a folder or an archive.",
  target: "Draft of",
  newTool: "A new tool",
  newToolHint: "Gets a name when you publish it",
  action: "Create draft",
  manyTools: "For many tools, or to publish from Git:",
  push: "toolhost push",

  problems: {
    noSettings: "The folder contains no tool.json. Choose the folder of one tool.",
    several: "The folder contains several tools. Choose the folder of one, or use toolhost push.",
    noCode: "The folder contains neither tool.ts nor tool.js.",
    noArchive: (name: string) => `${name} is not a readable .tar.gz archive.`,
    largeArchive: (name: string) => `${name} unpacks to more than 16 MiB.`,
    tooLarge: (path: string) => `${path} is larger than 1 MiB.`,
    notJson: (path: string) => `${path} is not a JSON object.`,
  },
} as const;

import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const docs = join(import.meta.dirname, "..");

/** A link to a page, with its heading as the text. */
function page(path: string): { text: string; link: string } {
  const [, heading = path] = /^# (.+)$/m.exec(readFileSync(join(docs, `${path}.md`), "utf8")) ?? [];
  return { text: heading, link: `/${path}` };
}

function pagesIn(folder: string, ...names: string[]) {
  return names.map((name) => page(`${folder}/${name}`));
}

function allIn(folder: string, pattern: string) {
  const names = globSync(pattern, { cwd: join(docs, folder) }).toSorted();
  return pagesIn(folder, ...names.map((name) => basename(name, ".md")));
}

/** The pages by kind. */
export const sidebar = [
  { text: "Start", items: [page("get-started"), page("comparison")] },
  {
    text: "Tools",
    items: [
      ...pagesIn("tools", "create-tools", "import-openapi", "import-mcp", "import-curl"),
      ...pagesIn("tools", "tools-in-git", "use-credentials", "use-files"),
    ],
  },
  {
    text: "Connect",
    items: [
      ...pagesIn("connect", "command-line", "connect-agents", "connect-chat"),
      ...pagesIn("connect", "use-typescript", "webhooks"),
    ],
  },
  {
    text: "Operate",
    items: [
      ...pagesIn("operate", "install", "set-up-sign-in", "operate", "manage-workspaces"),
      ...pagesIn("operate", "watch-tools", "back-up"),
      ...pagesIn("operate", "search-by-meaning", "metrics", "runbooks"),
    ],
  },
  {
    text: "Reference",
    items: [
      page("reference/configuration"),
      { ...page("reference/rest"), collapsed: true, items: allIn("reference/rest", "*.md") },
      ...pagesIn("reference", "command-line", "errors", "limits", "glossary"),
    ],
  },
  {
    text: "Architecture",
    items: [
      page("ARCHITECTURE"),
      page("SECURITY"),
      page("architecture/performance"),
      {
        ...page("architecture/decisions/index"),
        link: "/architecture/decisions/",
        collapsed: true,
        items: allIn("architecture/decisions", "0*.md"),
      },
    ],
  },
];

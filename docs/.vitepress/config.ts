import { copyFileSync, globSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkOutside } from "./link-outside.ts";
import { sidebar } from "./sidebar.ts";

const docs = join(import.meta.dirname, "..");

/**
 * The documentation site. `DOCS_BASE` is the path at which it is served, with slashes, and `DOCS_REPOSITORY_URL` the address of
 * the files of the repository, to which links to files outside of this folder lead. Nothing is loaded from other hosts.
 */
const config: Readonly<Record<string, unknown>> = {
  title: "Toolhost",
  description: "Self-hosted platform that runs tools for programs, agents and people.",
  lang: "en",
  // Without an icon, browsers request one.
  head: [["link", { rel: "icon", href: "data:," }]],
  base: process.env["DOCS_BASE"] ?? "/",
  outDir: "../dist-docs",
  // Addresses of your own server.
  ignoreDeadLinks: "localhostLinks",
  cacheDir: "node_modules/.cache",
  markdown: {
    config: linkOutside(process.env["DOCS_REPOSITORY_URL"]),
  },
  themeConfig: {
    search: { provider: "local" },
    sidebar,
    nav: [
      { text: "Get started", link: "/get-started" },
      { text: "Guides", link: "/tools/create-tools" },
      { text: "Reference", link: "/reference/configuration" },
    ],
    outline: { level: [2, 3] },
  },
  /** Pages link to these files. */
  buildEnd: ({ outDir }: { outDir: string }) => {
    for (const file of globSync("operate/*.{yaml,json}", { cwd: docs })) {
      mkdirSync(dirname(join(outDir, file)), { recursive: true });
      copyFileSync(join(docs, file), join(outDir, file));
    }
  },
};

export default config;

import { dirname, join } from "node:path/posix";

/** The parts of markdown-it that this uses. */
type Token = {
  type: string;
  tag: string;
  attrs: [string, string][] | null;
  children: Token[] | null;
};
type State = { tokens: Token[]; env: { relativePath?: string } };
type Markdown = {
  core: { ruler: { push: (name: string, rule: (state: State) => void) => void } };
};

/**
 * Leads relative links to files outside of the documentation, such as `../deploy`, to the repository. Without its address they
 * become plain text.
 */
export function linkOutside(repositoryUrl: string | undefined): (markdown: Markdown) => void {
  return (markdown) => {
    markdown.core.ruler.push("link-outside", ({ tokens, env }) => {
      const folder = dirname(env.relativePath ?? "");
      for (const { children } of tokens) redirectLinks(children ?? [], folder, repositoryUrl);
    });
  };
}

function redirectLinks(tokens: Token[], folder: string, repositoryUrl: string | undefined): void {
  let isUnlinked = false;
  for (const token of tokens) {
    if (token.type === "link_close" && isUnlinked) {
      token.tag = "span";
      isUnlinked = false;
    }
    if (token.type !== "link_open") continue;
    const href = token.attrs?.find(([name]) => name === "href");
    if (href === undefined || /^(?:[a-z]+:|#|\/)/.test(href[1])) continue;
    const target = join(folder, href[1]);
    if (!target.startsWith("../")) continue;
    if (repositoryUrl === undefined) {
      token.tag = "span";
      token.attrs = null;
      isUnlinked = true;
    } else {
      href[1] = `${repositoryUrl.replace(/\/+$/, "")}/${target.slice(3)}`;
    }
  }
}

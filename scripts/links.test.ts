import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const documents = globSync("**/*.md", { cwd: root, exclude: ["**/node_modules/**", "data/**"] });

const withoutCode = (text: string) =>
  text.replaceAll(/^( *)(```+)[\s\S]*?^\1\2$/gm, "").replaceAll(/`[^`\n]*`/g, "");

/** The anchors that GitHub creates for the headings of a document. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(path, "utf8").replaceAll(/^( *)(```+)[\s\S]*?^\1\2$/gm, "");
  return [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
}

function brokenLinks(document: string): string[] {
  const path = join(root, document);
  const links = [...withoutCode(readFileSync(path, "utf8")).matchAll(/\]\(\s*([^)\s]+)/g)];
  return links
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), file);
      if (relative(root, target).startsWith("..") || !existsSync(target)) return true;
      return (
        anchor !== undefined && (!statSync(target).isFile() || !anchorsOf(target).includes(anchor))
      );
    });
}

describe("the documentation", () => {
  it.each(documents)("contains no broken relative link in %s", (document) => {
    expect(brokenLinks(document)).toEqual([]);
  });
});

import { toJsonFile } from "../json.ts";
import { canonicalJson, settingsOf } from "../project/definition.ts";
import type { Definition } from "../project/definition.ts";
import { diffLines } from "../project/diff-lines.ts";
import { codeFiles } from "@toolhost/starter-tools/tool-folder";
import { styled } from "../terminal/text.ts";

type Pair = { folder: string; before: Definition | undefined; after: Definition | undefined };

/** The difference of two definitions as unified diffs of their files. */
export function showDifference({ folder, before, after }: Pair): string[] {
  const language = (after ?? before)?.source.language ?? "typescript";
  const files = [
    ["tool.json", before && settingsText(before), after && settingsText(after)],
    [codeFiles[language], before?.source.code, after?.source.code],
  ] as const;
  return files.flatMap(([name, old, next]) => {
    const lines = diffLines(old ?? "", next ?? "");
    if (lines.length === 0) return [];
    const path = `${folder}/${name}`;
    return [
      styled("bold", `--- ${old === undefined ? "/dev/null" : path}`),
      styled("bold", `+++ ${next === undefined ? "/dev/null" : path}`),
      ...lines,
    ];
  });
}

/** The settings in a stable order, so that only real differences are shown. */
function settingsText(definition: Definition): string {
  const settings = settingsOf(definition);
  const sorted = Object.keys(settings).map((name) => [
    name,
    JSON.parse(canonicalJson(settings[name])),
  ]);
  return toJsonFile(Object.fromEntries(sorted));
}

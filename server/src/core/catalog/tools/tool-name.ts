import anyAscii from "any-ascii";
import { toolLimits } from "@toolhost/contract";
import { randomSuffix } from "#lib/ids";

const suffixLength = 4;

/** A new name: the title, written with ASCII letters, in snake_case with a random suffix. */
export function makeToolName(title: string): string {
  const words = anyAscii(title.normalize("NFKC"))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, toolLimits.name - suffixLength - 1)
    .replace(/^_+|_+$/g, "");
  return `${words === "" ? "tool" : words}_${randomSuffix(suffixLength)}`;
}

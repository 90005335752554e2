import { readFile } from "node:fs/promises";
import { join } from "node:path";

const files = [
  "call-tool.ts",
  "check-request.ts",
  "credential-mark.ts",
  "elicit.ts",
  "task.ts",
  "mcp-client.ts",
  "messages.ts",
];

/** The source of the client that all imported tools contain, as one text without imports. */
export async function readClientSource(): Promise<string> {
  const texts = await Promise.all(
    files.map((name) => readFile(join(import.meta.dirname, "client", name), "utf8")),
  );
  return texts.map((text) => text.replaceAll(/^import .*\n/gm, "").trim()).join("\n\n");
}

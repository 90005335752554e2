import type { JsonObject } from "@toolhost/contract";
import { FolderError } from "./folder-error.ts";
import { messages } from "./messages.ts";

const { problems } = messages;
const maxFileBytes = 1024 * 1024;
const maxExamples = 20;

/** The files of a folder, as the browser lists them, by their path. */
export function filesByPath(files: readonly File[]): Map<string, File> {
  return new Map(files.map((file) => [file.webkitRelativePath || file.name, file]));
}

/** The definition of the tool in a folder, by the paths of its files. Throws `FolderError`. */
export async function readFolder(byPath: ReadonlyMap<string, File>): Promise<JsonObject> {
  const settings = [...byPath].filter(([, { name }]) => name === "tool.json");
  const [only] = settings;
  if (only === undefined) throw new FolderError(problems.noSettings);
  if (settings.length > 1) throw new FolderError(problems.several);
  const root = only[0].slice(0, -only[1].name.length);
  const isTypescript = byPath.has(`${root}tool.ts`);
  const codePath = `${root}${isTypescript ? "tool.ts" : "tool.js"}`;
  const code = byPath.get(codePath);
  if (code === undefined) throw new FolderError(problems.noCode);
  const { $schema: _schema, ...definition } = await readJson(...only);
  const examples = [...byPath]
    .filter(([path]) => path.startsWith(`${root}examples/`) && path.endsWith(".json"))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, maxExamples);
  const source = isObject(definition["source"]) ? definition["source"] : {};
  return {
    ...definition,
    source: {
      ...source,
      language: isTypescript ? "typescript" : "javascript",
      code: (await readText(codePath, code)).replaceAll("\r\n", "\n"),
    },
    ...(examples.length === 0
      ? {}
      : { examples: await Promise.all(examples.map((one) => readJson(...one))) }),
  };
}

async function readText(path: string, file: File): Promise<string> {
  if (file.size > maxFileBytes) throw new FolderError(problems.tooLarge(path));
  return file.text();
}

async function readJson(path: string, file: File): Promise<JsonObject> {
  const text = await readText(path, file);
  try {
    const value = JSON.parse(text) as unknown;
    if (isObject(value)) return value;
  } catch {
    // The error below says what is wrong.
  }
  throw new FolderError(problems.notJson(path));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

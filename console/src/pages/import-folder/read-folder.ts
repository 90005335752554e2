import type { JsonObject } from "@toolhost/contract";
import { messages } from "./messages.ts";

const { problems } = messages;
const maxFileBytes = 1024 * 1024;
const maxExamples = 20;

/** The folder cannot be read. The message is for its user. */
export class FolderError extends Error {
  override name = "FolderError";
}

/** The definition of the tool in a folder, as the browser lists its files. Throws `FolderError`. */
export async function readFolder(files: readonly File[]): Promise<JsonObject> {
  const settings = files.filter(({ name }) => name === "tool.json");
  const [only] = settings;
  if (only === undefined) throw new FolderError(problems.noSettings);
  if (settings.length > 1) throw new FolderError(problems.several);
  const root = pathOf(only).slice(0, -only.name.length);
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  const typescript = byPath.get(`${root}tool.ts`);
  const code = typescript ?? byPath.get(`${root}tool.js`);
  if (code === undefined) throw new FolderError(problems.noCode);
  const { $schema: _schema, ...definition } = await readJson(only);
  const examples = [...byPath]
    .filter(([path]) => path.startsWith(`${root}examples/`) && path.endsWith(".json"))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, maxExamples)
    .map(([, file]) => file);
  const source = isObject(definition["source"]) ? definition["source"] : {};
  return {
    ...definition,
    source: {
      ...source,
      language: typescript === undefined ? "javascript" : "typescript",
      code: (await readText(code)).replaceAll("\r\n", "\n"),
    },
    ...(examples.length === 0 ? {} : { examples: await Promise.all(examples.map(readJson)) }),
  };
}

function pathOf(file: File): string {
  return file.webkitRelativePath === "" ? file.name : file.webkitRelativePath;
}

async function readText(file: File): Promise<string> {
  if (file.size > maxFileBytes) throw new FolderError(problems.tooLarge(pathOf(file)));
  return file.text();
}

async function readJson(file: File): Promise<JsonObject> {
  const text = await readText(file);
  try {
    const value = JSON.parse(text) as unknown;
    if (isObject(value)) return value;
  } catch {
    // The error below says what is wrong.
  }
  throw new FolderError(problems.notJson(pathOf(file)));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

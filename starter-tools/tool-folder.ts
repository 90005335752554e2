import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The file with the code of a tool, by language. */
export const codeFiles: Readonly<Record<"javascript" | "typescript", string>> = {
  typescript: "tool.ts",
  javascript: "tool.js",
};

/** The file with everything else, and the folder with examples that have files of their own. */
export const settingsFile = "tool.json";
export const examplesFolder = "examples";

/** Far above the limits of a definition, so that nothing larger is read into memory. */
const maxBytes = 4 * 1024 * 1024;
const maxExamples = 100;

/** A folder that does not contain a tool in the form that `readToolFolder` reads. */
export class ToolFolderError extends Error {
  override name = "ToolFolderError";
}

/** An example in a file of its own. */
export type ExampleFile = { file: string; example: unknown };

/** The content of a folder with a tool. */
export type ToolFolder = {
  /** The definition as in `POST /tools`, not validated. */
  draft: Record<string, unknown>;
  codeFile: string;
  /** The examples in `examples/`, in the order of their names. Undefined if there is no such folder. */
  exampleFiles: readonly ExampleFile[] | undefined;
};

/**
 * Reads a tool: `tool.json`, the code in `tool.ts` or `tool.js`, and the examples in `tool.json` or in `examples/*.json`. Follows
 * no symbolic links, since a folder can come from others. Throws `ToolFolderError`.
 */
export async function readToolFolder(folder: string): Promise<ToolFolder> {
  const settings = parseObject(await readText(join(folder, settingsFile)), settingsFile);
  const { $schema: _, ...rest } = settings;
  const source = rest["source"];
  if (!isRecord(source)) {
    throw new ToolFolderError(`${settingsFile} must be an object with a "source"`);
  }
  const codeFile = Object.entries(codeFiles).find(([name]) => name === source["language"])?.[1];
  if (codeFile === undefined) {
    throw new ToolFolderError(
      `${settingsFile} must have "typescript" or "javascript" as its source.language`,
    );
  }
  if ("code" in source) {
    throw new ToolFolderError(`${settingsFile} must not have source.code: it is in ${codeFile}`);
  }
  // Git on Windows may have changed the ends of lines, which means nothing to JavaScript.
  const code = (await readText(join(folder, codeFile))).replaceAll("\r\n", "\n");
  const exampleFiles = await readExamples(folder);
  if (exampleFiles !== undefined && "examples" in rest) {
    throw new ToolFolderError(
      `examples are in ${settingsFile} and in ${examplesFolder}/. Move them to one place`,
    );
  }
  const examples =
    exampleFiles === undefined ? {} : { examples: exampleFiles.map(({ example }) => example) };
  return { draft: { ...rest, source: { ...source, code }, ...examples }, codeFile, exampleFiles };
}

async function readExamples(folder: string): Promise<ExampleFile[] | undefined> {
  const place = join(folder, examplesFolder);
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) throw new ToolFolderError(`${examplesFolder} is not a folder`);
  const files = (await readdir(place)).filter((name) => name.endsWith(".json")).toSorted();
  if (files.length > maxExamples) {
    throw new ToolFolderError(`${examplesFolder}/ has more than ${maxExamples} files`);
  }
  return Promise.all(
    files.map(async (file) => {
      const name = `${examplesFolder}/${file}`;
      return { file, example: parseObject(await readText(join(place, file)), name) };
    }),
  );
}

async function readText(path: string): Promise<string> {
  const name = path.split(/[/\\]/).at(-1) ?? path;
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) throw new ToolFolderError(`${name} is missing`);
  if (!stats.isFile()) throw new ToolFolderError(`${name} is not a regular file`);
  if (stats.size > maxBytes) throw new ToolFolderError(`${name} is larger than 4 MiB`);
  return readFile(path, "utf8");
}

function parseObject(text: string, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (error) {
    throw new ToolFolderError(`${name} is not valid JSON: ${String(error)}`, { cause: error });
  }
  throw new ToolFolderError(`${name} must be a JSON object`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

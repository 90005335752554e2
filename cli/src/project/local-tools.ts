import { lstat, mkdir, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  codeFiles,
  examplesFolder,
  readToolFolder,
  settingsFile,
  ToolFolderError,
} from "@toolhost/starter-tools/tool-folder";
import type { ExampleFile, ToolFolder } from "@toolhost/starter-tools/tool-folder";
import { inOrderOf, toJsonFile } from "../json.ts";
import { usageError } from "../terminal/cli-error.ts";
import { canonicalJson, hashOf, parseDefinition, settingsOf } from "./definition.ts";
import type { Definition } from "./definition.ts";
import { isFolderName } from "./folder-name.ts";
import { stateFolder, toolFolder } from "./project.ts";
import type { Project } from "./project.ts";
import { isMissing, writeAtomic } from "./write-atomic.ts";

/** A tool in a folder of the project. */
export type LocalTool = { folder: string; definition: Definition; hash: string };

/**
 * The folders with tools. Throws if something else is in the place of one, such as a symbolic link: its tool would count as
 * deleted.
 */
export async function listFolders({ toolsDir }: Project): Promise<string[]> {
  const entries = await readdir(toolsDir, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const other = entries.find(
    (entry) => !entry.isDirectory() && isFolderName(entry.name) && entry.name !== "node_modules",
  );
  if (other !== undefined) {
    throw usageError(`${join(toolsDir, other.name)} is not a folder. Move it away, then retry.`);
  }
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const names = folders.map(({ name }) => name).toSorted();
  const wrong = names.find((name) => !isFolderName(name) && name !== "node_modules");
  if (wrong !== undefined) {
    throw usageError(
      `The folder "${wrong}" cannot be that of a tool. Use lowercase letters, digits, "-" and "_".`,
    );
  }
  return names.filter(isFolderName).filter((name) => name !== "node_modules");
}

/** Reads the tool in a folder; undefined if there is none. Throws if it is not valid. */
export async function readLocalTool(
  project: Project,
  name: string,
): Promise<LocalTool | undefined> {
  const folder = await toolFolder(project, name);
  const files: string[] = await readdir(folder).catch((error: unknown): string[] => {
    if (isMissing(error)) return [];
    throw error;
  });
  // Git leaves folders behind that contain only ignored files, and `pull --delete` those with files of the user.
  const own = [settingsFile, ...Object.values(codeFiles)];
  if (!own.some((file: string) => files.includes(file))) return undefined;
  const place = relative(project.root, folder);
  const { draft } = await readToolFolder(folder).catch((error: unknown) => {
    if (error instanceof ToolFolderError) throw usageError(`${place}: ${error.message}.`);
    throw error;
  });
  const definition = parseDefinition(draft, place);
  return { folder: name, definition, hash: hashOf(definition) };
}

/**
 * Writes a tool to its folder. Code and `tool.json` are each replaced in one step, unless they have the content already; other
 * files in the folder stay. Examples stay in `examples/` if they are there.
 */
export async function writeLocalTool(project: Project, name: string, definition: Definition) {
  const folder = await toolFolder(project, name);
  const before = await readToolFolder(folder).catch(() => undefined);
  const exampleFiles = before?.exampleFiles;
  const hasFolder = exampleFiles !== undefined;
  const codeFile = codeFiles[definition.source.language];
  if (before !== undefined && before.codeFile !== codeFile) {
    await checkFree(join(folder, codeFile), definition.source.code);
  }
  await mkdir(folder, { recursive: true });
  if (hasFolder) await writeExamples(join(folder, examplesFolder), exampleFiles, definition);
  if (!hasCode(before, definition)) {
    await writeAtomic(join(folder, codeFile), definition.source.code);
  }
  if (!hasSettings(before, definition)) await writeSettings(project, folder, definition, before);
  // The tool had another language. Otherwise, a file of that name is the user's own.
  if (before !== undefined && before.codeFile !== codeFile) {
    await rm(join(folder, before.codeFile), { force: true });
  }
}

async function writeSettings(
  { root }: Project,
  folder: string,
  definition: Definition,
  before: ToolFolder | undefined,
): Promise<void> {
  const { examples, ...settings } = settingsOf(definition);
  const hasExampleFiles = before?.exampleFiles !== undefined;
  const schema = relative(folder, join(root, stateFolder, "tool.schema.json"));
  const content = {
    $schema: schema.replaceAll("\\", "/"),
    ...inOrderOf(before?.draft ?? {}, {
      ...settings,
      ...(hasExampleFiles || examples === undefined ? {} : { examples }),
    }),
  };
  await writeAtomic(join(folder, settingsFile), toJsonFile(content));
}

const sourceOf = (folder: ToolFolder | undefined) =>
  folder?.draft["source"] as Record<string, unknown> | undefined;

/** Whether the code is in the folder, with any ends of lines. */
const hasCode = (before: ToolFolder | undefined, { source }: Definition) =>
  sourceOf(before)?.["code"] === source.code && before?.codeFile === codeFiles[source.language];

/** Whether `tool.json` has the content, in any format. Code and examples are in files of their own. */
function hasSettings(before: ToolFolder | undefined, definition: Definition): boolean {
  if (before === undefined) return false;
  const { code } = definition.source;
  const { examples } = before.exampleFiles === undefined ? before.draft : definition;
  const draft = { ...before.draft, source: { ...sourceOf(before), code }, examples };
  try {
    return hashOf(parseDefinition(draft, settingsFile)) === hashOf(definition);
  } catch {
    return false;
  }
}

/** Throws if a file of the user is in the place of one that will be written. */
async function checkFree(path: string, content: string): Promise<void> {
  const existing = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return content;
    throw error;
  });
  if (existing === content) return;
  throw usageError(`${path} would be overwritten. Move it away, then retry.`);
}

async function writeExamples(
  folder: string,
  existing: readonly ExampleFile[],
  { examples }: Definition,
): Promise<void> {
  const left = new Map(existing.map(({ file, example }) => [file, canonicalJson(example)]));
  const added = examples.filter((example) => {
    const found = [...left].find(([, text]) => text === canonicalJson(example));
    if (found !== undefined) left.delete(found[0]);
    return found === undefined;
  });
  const taken = new Set(existing.map(({ file }) => file));
  for (const example of added) {
    let number = 1;
    while (taken.has(`example-${number}.json`)) number++;
    taken.add(`example-${number}.json`);
    await writeAtomic(join(folder, `example-${number}.json`), toJsonFile(example));
  }
  for (const file of left.keys()) await rm(join(folder, file), { force: true });
}

/** Deletes the files of a tool, and its folder if nothing else is in it. Other files are the user's own. */
export async function deleteLocalTool(project: Project, name: string): Promise<void> {
  const folder = await toolFolder(project, name);
  const { codeFile, exampleFiles = [] } = await readToolFolder(folder);
  const examples = exampleFiles.map(({ file }) => join(examplesFolder, file));
  for (const file of [settingsFile, codeFile, ...examples]) {
    await rm(join(folder, file), { force: true });
  }
  for (const file of generatedFiles) {
    if (await isGenerated(join(folder, file))) await rm(join(folder, file), { force: true });
  }
  await deleteIfEmpty(join(folder, examplesFolder));
  await deleteIfEmpty(folder);
}

async function deleteIfEmpty(folder: string): Promise<void> {
  if ((await readdir(folder).catch(() => ["?"])).length === 0) await rmdir(folder);
}

/** Files that are written beside a tool for editors, and that Git ignores. */
export const generatedFiles = ["tool-types.d.ts", "tsconfig.json"] as const;

const generatedHeader = "// Written by toolhost. Do not edit.\n";

/** Whether a file is one that this program wrote for editors, and not the user's own. */
async function isGenerated(path: string): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.replaceAll("\r\n", "\n").startsWith(generatedHeader);
}

/** Writes a file for editors, unless a file of the user is in its place. */
export async function writeGenerated(path: string, text: string): Promise<void> {
  const isFree = await lstat(path).then(() => false, isMissing);
  if (isFree || (await isGenerated(path))) await writeAtomic(path, generatedHeader + text);
}

/** Renames the folder of a tool. Throws if the new one exists. */
export async function renameLocalTool(project: Project, from: string, to: string): Promise<void> {
  const wrong = [from, to].find((name) => !isFolderName(name));
  if (wrong !== undefined) {
    throw usageError(`"${wrong}" cannot be a folder. Use lowercase letters, digits, "-" and "_".`);
  }
  const [source, target] = [await toolFolder(project, from), await toolFolder(project, to)];
  if ((await readdir(target).catch(() => undefined)) !== undefined) {
    throw usageError(`The folder "${to}" already exists.`);
  }
  await rename(source, target);
}

import type { PackageTypes } from "@toolhost/contract";
import type { Inference } from "../infer/inference.ts";
import { callCompiler } from "./call-compiler.ts";
import type { Language } from "./compiler/language-service.ts";
import { openFile, openFileAt, openFiles, setProblems } from "./open-files.ts";

const folder = "file://";
const checkDelayMs = 400;

/** The text of each file that the compiler has, by path. */
const sent = new Map<string, string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
let isNodeDeclared = false;

/** Opens the code of a tool, which the compiler checks from now on. */
export function openCode(path: string, text: string): void {
  const file = openFile(path, text);
  if (timers.has(path)) return;
  file.onClose = () => {
    clearTimeout(timers.get(path));
    timers.delete(path);
    sent.delete(path);
    void callCompiler("removeFile", folder + path).catch(() => undefined);
  };
  checkSoon(path, 0);
}

/** Checks the code after a pause. Call this after each change. */
export function checkSoon(path: string, delayMs = checkDelayMs): void {
  clearTimeout(timers.get(path));
  timers.set(
    path,
    setTimeout(() => void check(path), delayMs),
  );
}

/** The methods about a position or all of a file, which take its name first. */
type FileMethod = {
  [Method in keyof Language]: Parameters<Language[Method]> extends [string, ...unknown[]]
    ? Method
    : never;
}[keyof Language];
type Rest<Values> = Values extends [unknown, ...infer Others] ? Others : never;

/** Asks about the current text of a file. Rejects if it is not open. */
export async function ask<Method extends FileMethod>(
  method: Method,
  path: string,
  ...args: Rest<Parameters<Language[Method]>>
): Promise<ReturnType<Language[Method]>> {
  send(path);
  const all = [folder + path, ...args] as unknown as Parameters<Language[Method]>;
  return callCompiler(method, ...all);
}

/** Sets the declarations that the code of a tool can use. */
export function declare(declarations: string): void {
  setDeclarations([], [["file:///tool-types.d.ts", declarations]]);
}

/** Adds the types of Node.js, loading them on demand; if that fails, modules of Node.js stay `any`. */
export async function declareNode(): Promise<void> {
  if (isNodeDeclared) return;
  const { nodeTypes } = await import("./node-types.ts");
  isNodeDeclared = true;
  setDeclarations([], [...nodeTypes]);
}

let packageFiles: readonly string[] = [];

/** Sets the type declarations of npm packages, replacing the previous ones. */
export function declarePackages(files: PackageTypes["files"]): void {
  if (files.length === 0 && packageFiles.length === 0) return;
  // The sandbox decides which parts of Node.js exist; `declareNode` adds their types.
  const own = files.filter(({ path }) => !path.startsWith("node_modules/@types/node/"));
  const added = own.map(({ path, text }) => [`file:///${path}`, text] as const);
  setDeclarations(packageFiles, added);
  packageFiles = added.map(([path]) => path);
}

/** Infers the schemas from the types of an open file. */
export function infer(path: string): Promise<Inference> {
  return ask("inferSchemas", path);
}

function setDeclarations(
  removed: readonly string[],
  added: readonly (readonly [string, string])[],
): void {
  void callCompiler("setDeclarations", removed, added).catch(() => undefined);
  for (const { path } of openFiles()) if (timers.has(path)) checkSoon(path);
}

function send(path: string): void {
  const text = openFileAt(path)?.text;
  if (text === undefined || sent.get(path) === text) return;
  sent.set(path, text);
  void callCompiler("setFile", folder + path, text).catch(() => undefined);
}

async function check(path: string): Promise<void> {
  const text = openFileAt(path)?.text;
  const found = await ask("check", path).catch(() => undefined);
  // After a later change, the positions may not exist; its own check follows.
  if (openFileAt(path)?.text !== text) return;
  // If the compiler fails, the file counts as checked, as it does without problems.
  setProblems(path, found ?? []);
}

import type { JsonObject, PackageTypes } from "@toolhost/contract";
import { isObject } from "#lib/json";
import { textAt } from "../definition/read-definition.ts";
import type { Inference } from "../infer/inference.ts";
import { editor, typescript, Uri } from "./monaco.ts";
import { rememberFile } from "./open-files.ts";

const languages = [typescript.typescriptDefaults, typescript.javascriptDefaults];
const declarationsPath = "file:///tool-types.d.ts";

/** Tells the editor what a tool's code may name. */
export function declare(declarations: string): void {
  for (const defaults of languages) defaults.addExtraLib(declarations, declarationsPath);
}

/** Tells the editor what there is of Node. It is loaded for that; where that fails, modules of Node stay `any`. */
export async function declareNode(): Promise<void> {
  const { nodeTypes } = await import("./node-types.ts");
  for (const defaults of languages) {
    for (const [path, text] of nodeTypes) defaults.addExtraLib(text, path);
  }
}

let forgetPackages: (() => void)[] = [];

/** Tells the editor what there is of npm packages, in place of what it was told before. */
export function declarePackages(files: PackageTypes["files"]): void {
  for (const forget of forgetPackages) forget();
  // What there is of Node the sandbox decides, and it is declared by itself.
  const own = files.filter(({ path }) => !path.startsWith("node_modules/@types/node/"));
  forgetPackages = languages.flatMap((defaults) =>
    own.map(({ path, text }) => {
      const lib = defaults.addExtraLib(text, `file:///${path}`);
      return () => lib.dispose();
    }),
  );
}

/** The file as it was left, with its undo history; made of the text when nobody has opened it yet. */
export function openFile(path: string, language: string, text: string) {
  const uri = Uri.file(path);
  const found = editor.getModel(uri);
  if (found === null) {
    const model = editor.createModel(text, language, uri);
    rememberFile(path, () => model.dispose());
    return model;
  }
  editor.setModelLanguage(found, language);
  return found;
}

/** The schemas that the types of a file say. The file is one that an editor has open or had open. */
export async function infer(path: string): Promise<Inference> {
  const uri = Uri.file(path);
  const worker: unknown = await (await connect(path.endsWith(".js")))(uri);
  if (!canInfer(worker)) throw new Error("The editor cannot read types.");
  return readInference(await worker.inferSchemas(uri.toString()));
}

const maxAttempts = 100;
const pauseMs = 100;

/** The editor refuses to lead to its worker until the language is set up, which begins with the first file of it. */
async function connect(isScript: boolean) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (isScript ? typescript.getJavaScriptWorker() : typescript.getTypeScriptWorker());
    } catch {
      if (attempt === maxAttempts) throw new Error("The editor did not begin. Try again.");
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Ends when the types of a file were looked at for the first time, which takes some seconds on a slow machine. */
export async function firstCheck(path: string): Promise<void> {
  const uri = Uri.file(path);
  const worker = await (await connect(path.endsWith(".js")))(uri);
  await worker.getSemanticDiagnostics(uri.toString());
}

type InferringWorker = { inferSchemas(fileName: string): Promise<unknown> };

/** The worker is far away: whatever is asked of it here is a function, and none of it is listed. */
function canInfer(worker: unknown): worker is InferringWorker {
  return (
    typeof worker === "object" &&
    worker !== null &&
    typeof Reflect.get(worker, "inferSchemas") === "function"
  );
}

function readInference(answer: unknown): Inference {
  const { inputSchema, outputSchema, notes } = isObject(answer) ? answer : ({} as JsonObject);
  return {
    ...(isObject(inputSchema) ? { inputSchema } : {}),
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    notes: (Array.isArray(notes) ? notes.filter(isObject) : []).map((note) => ({
      place: textAt(note, "place"),
      message: textAt(note, "message"),
    })),
  };
}

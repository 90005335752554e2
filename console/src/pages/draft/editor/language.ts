import type { JsonObject, PackageTypes } from "@toolhost/contract";
import { isObject } from "#lib/json";
import { textAt } from "../definition/read-definition.ts";
import type { Inference } from "../infer/inference.ts";
import { messages } from "./messages.ts";
import { editor, typescript, Uri } from "./monaco.ts";
import { rememberFile } from "./open-files.ts";

const languages = [typescript.typescriptDefaults, typescript.javascriptDefaults];
const declarationsPath = "file:///tool-types.d.ts";

/** Sets the declarations that the code of a tool can use. */
export function declare(declarations: string): void {
  for (const defaults of languages) defaults.addExtraLib(declarations, declarationsPath);
}

/** Adds the types of Node.js, loading them on demand; if that fails, modules of Node.js stay `any`. */
export async function declareNode(): Promise<void> {
  const { nodeTypes } = await import("./node-types.ts");
  for (const defaults of languages) {
    for (const [path, text] of nodeTypes) defaults.addExtraLib(text, path);
  }
}

let disposePackages: (() => void)[] = [];

/** Sets the type declarations of npm packages, replacing the previous ones. */
export function declarePackages(files: PackageTypes["files"]): void {
  for (const dispose of disposePackages) dispose();
  // The sandbox decides which parts of Node.js exist; `declareNode` adds their types.
  const own = files.filter(({ path }) => !path.startsWith("node_modules/@types/node/"));
  disposePackages = languages.flatMap((defaults) =>
    own.map(({ path, text }) => {
      const lib = defaults.addExtraLib(text, `file:///${path}`);
      return () => lib.dispose();
    }),
  );
}

/** Returns the open file with its undo history, or creates it from the text. */
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

/** Infers the schemas from the types of a file that is or was open in an editor. */
export async function infer(path: string): Promise<Inference> {
  const uri = Uri.file(path);
  const worker: unknown = await (await connect(path.endsWith(".js")))(uri);
  if (!canInfer(worker)) throw new Error(messages.typesUnavailable);
  return readInference(await worker.inferSchemas(uri.toString()));
}

const maxAttempts = 100;
const pauseMs = 100;

/** Connects to the language worker. The editor rejects this until the language is set up, which starts with its first file. */
async function connect(isScript: boolean) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (isScript ? typescript.getJavaScriptWorker() : typescript.getTypeScriptWorker());
    } catch {
      if (attempt === maxAttempts) throw new Error(messages.startFailed);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Resolves when a file has been type-checked once, which can take seconds on a slow machine. */
export async function firstCheck(path: string): Promise<void> {
  const uri = Uri.file(path);
  const worker = await (await connect(path.endsWith(".js")))(uri);
  await worker.getSemanticDiagnostics(uri.toString());
}

type InferringWorker = { inferSchemas(fileName: string): Promise<unknown> };

/** The worker is a proxy: any property reads as a function, and none is enumerable. */
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
    ...(isObject(answer) && answer["isInputFromUses"] === true ? { isInputFromUses: true } : {}),
    notes: (Array.isArray(notes) ? notes.filter(isObject) : []).map((note) => ({
      path: textAt(note, "path"),
      message: textAt(note, "message"),
    })),
  };
}

import {
  initialize,
  ts,
  TypeScriptWorker,
} from "monaco-editor/languages/features/typescript/ts.worker.js";
import type { Inference } from "../infer/inference.ts";
import { inferSchemas } from "../infer/infer-schemas.ts";
import { isRootFile, isModuleTypeScript } from "./worker-files.ts";

/** As the compiler calls TypeScript. */
const typeScriptKind = 3;

/** The editor's own TypeScript worker, and the schemas that a module's types say. It knows files of npm packages. */
class ToolWorker extends TypeScriptWorker {
  #areLibsNew = false;

  /** Asked by the compiler, which else holds what an import meant, or that it meant nothing, for as long as the code is the same. */
  hasInvalidatedResolutions = (): boolean => this.#areLibsNew;

  override async updateExtraLibs(libs: object): Promise<void> {
    await super.updateExtraLibs(libs);
    this.#areLibsNew = true;
    this.getLanguageService().getProgram();
    this.#areLibsNew = false;
  }

  override getScriptFileNames(): string[] {
    return super.getScriptFileNames().filter(isRootFile);
  }

  override getScriptKind(fileName: string): number {
    return isModuleTypeScript(fileName) ? typeScriptKind : super.getScriptKind(fileName);
  }

  async inferSchemas(fileName: string): Promise<Inference> {
    return inferSchemas(ts.typescript, this.getLanguageService().getProgram(), fileName);
  }
}

self.addEventListener(
  "message",
  () => {
    initialize((context, data) => new ToolWorker(context, data));
  },
  { once: true },
);

import {
  initialize,
  ts,
  TypeScriptWorker,
} from "monaco-editor/languages/features/typescript/ts.worker.js";
import type { Inference } from "../infer/inference.ts";
import { inferSchemas } from "../infer/infer-schemas.ts";
import { isRootFile, isModuleTypeScript } from "./worker-files.ts";

/** `ScriptKind.TS` of the compiler. */
const typeScriptKind = 3;

/** Extends the TypeScript worker of the editor with schema inference and with files of npm packages. */
class ToolWorker extends TypeScriptWorker {
  #haveLibsChanged = false;

  /** Tells the compiler to resolve imports again after the libraries changed; otherwise it reuses results while the code is unchanged. */
  hasInvalidatedResolutions = (): boolean => this.#haveLibsChanged;

  override async updateExtraLibs(libs: object): Promise<void> {
    await super.updateExtraLibs(libs);
    this.#haveLibsChanged = true;
    this.getLanguageService().getProgram();
    this.#haveLibsChanged = false;
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

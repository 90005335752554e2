import {
  initialize,
  ts,
  TypeScriptWorker,
} from "monaco-editor/languages/features/typescript/ts.worker.js";
import type { Inference } from "../infer/inference.ts";
import { inferSchemas } from "../infer/infer-schemas.ts";

/** The editor's own TypeScript worker, and the schemas that a module's types say. */
class ToolWorker extends TypeScriptWorker {
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

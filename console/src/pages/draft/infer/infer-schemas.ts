import type { JsonObject } from "@toolhost/contract";
import type { Checker, Compiler, Program, ReadContext, Type } from "./compiler.ts";
import type { Inference } from "./inference.ts";
import { messages } from "./messages.ts";
import { toOutputSchema } from "./output-schema.ts";
import { schemaOf } from "./type-to-schema.ts";

/** Infers the schemas from the types of the default export. Never throws: problems are returned as notes. */
export function inferSchemas(ts: Compiler, program: Program, fileName: string): Inference {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(fileName);
  const notes: Inference["notes"] = [];
  const onlyNote = (message: string): Inference => ({ notes: [...notes, { path: "", message }] });
  if (file === undefined) return onlyNote(messages.unreadable);
  const module = checker.getSymbolAtLocation(file);
  const exported =
    module && checker.getExportsOfModule(module).find(({ name }) => name === "default");
  if (exported === undefined) return onlyNote(messages.noDefaultExport);
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const [signature] = checker.getTypeOfSymbolAtLocation(symbol, file).getCallSignatures();
  if (signature === undefined) return onlyNote(messages.notAFunction);
  const context = { ts, checker, file };
  const [parameter] = signature.getParameters();
  const input =
    parameter === undefined
      ? { type: "object", properties: {}, additionalProperties: false }
      : readInput(checker.getTypeOfSymbolAtLocation(parameter, file));
  const output = readOutput(awaited(checker, signature.getReturnType()));
  return {
    ...(input === undefined ? {} : { inputSchema: input }),
    ...(output === undefined ? {} : { outputSchema: output }),
    notes,
  };

  function readInput(type: Type): JsonObject | undefined {
    if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) {
      notes.push({ path: "input", message: messages.untypedInput });
      return undefined;
    }
    if (isGenerated(context, "Input", type)) {
      notes.push({ path: "input", message: messages.generatedInput });
      return undefined;
    }
    const schema = schemaOf(context, notes, type, "input");
    if (schema["type"] === "object") return schema;
    notes.push({ path: "input", message: messages.inputNotAnObject });
    return undefined;
  }

  function readOutput(type: Type): JsonObject | undefined {
    if ((type.flags & ts.TypeFlags.Any) !== 0) {
      notes.push({ path: "output", message: messages.untypedOutput });
      return undefined;
    }
    if (isGenerated(context, "Output", type)) {
      notes.push({ path: "output", message: messages.generatedOutput });
      return undefined;
    }
    const schema = toOutputSchema(schemaOf(context, notes, type, "output"));
    if (schema === undefined) notes.push({ path: "output", message: messages.outputNotAnObject });
    return schema;
  }
}

/** Whether a type is the one that the editor generates from the schema. A module can declare another type of this name. */
function isGenerated({ ts, checker, file }: ReadContext, name: string, type: Type): boolean {
  const inScope = checker.getSymbolsInScope(file, ts.SymbolFlags.TypeAlias);
  const found = inScope.find((symbol) => symbol.name === name);
  if (found === undefined || checker.getDeclaredTypeOfSymbol(found) !== type) return false;
  return found.declarations?.every((one) => one.getSourceFile() !== file) === true;
}

function awaited(checker: Checker, type: Type): Type {
  return checker.getAwaitedType(type) ?? type;
}

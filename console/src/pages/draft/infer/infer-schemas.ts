import type { JsonObject } from "@toolhost/contract";
import type { Checker, Compiler, Program, Type } from "./compiler.ts";
import type { Inference } from "./inference.ts";
import { toOutputSchema } from "./output-schema.ts";
import { schemaOf } from "./type-to-schema.ts";

/** The schemas that the types of a module's default export say. Nothing is thrown: what cannot be told is a note. */
export function inferSchemas(ts: Compiler, program: Program, fileName: string): Inference {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(fileName);
  const notes: Inference["notes"] = [];
  const give = (message: string): Inference => ({ notes: [...notes, { place: "", message }] });
  if (file === undefined) return give("The code could not be read.");
  const module = checker.getSymbolAtLocation(file);
  const exported =
    module && checker.getExportsOfModule(module).find(({ name }) => name === "default");
  if (exported === undefined) return give("The code has no default export yet.");
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const [signature] = checker.getTypeOfSymbolAtLocation(symbol, file).getCallSignatures();
  if (signature === undefined) return give("The default export is not a function.");
  const reading = { ts, checker, file };
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
      notes.push({ place: "input", message: "The first parameter has no type. Give it one." });
      return undefined;
    }
    const schema = schemaOf(reading, notes, type, "input");
    if (schema["type"] === "object") return schema;
    notes.push({ place: "input", message: "The input has to be an object." });
    return undefined;
  }

  function readOutput(type: Type): JsonObject | undefined {
    if ((type.flags & ts.TypeFlags.Any) !== 0) {
      notes.push({ place: "output", message: "The function returns any. Say what it returns." });
      return undefined;
    }
    const schema = toOutputSchema(schemaOf(reading, notes, type, "output"));
    if (schema === undefined)
      notes.push({ place: "output", message: "The output has to be an object." });
    return schema;
  }
}

function awaited(checker: Checker, type: Type): Type {
  return checker.getAwaitedType(type) ?? type;
}

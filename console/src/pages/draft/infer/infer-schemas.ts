import type { JsonObject } from "@toolhost/contract";
import type { Checker, Compiler, Program, ReadContext, Symbol, Type } from "./compiler.ts";
import type { Inference } from "./inference.ts";
import { messages } from "./messages.ts";
import { toOutputSchema } from "./output-schema.ts";
import { readUses } from "./read-uses.ts";
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
  let isFromUses = false;
  const [parameter] = signature.getParameters();
  const input =
    parameter === undefined
      ? { type: "object", properties: {}, additionalProperties: false }
      : readInput(parameter, checker.getTypeOfSymbolAtLocation(parameter, file));
  const output = readOutput(awaited(checker, signature.getReturnType()));
  return {
    ...(input === undefined ? {} : { inputSchema: input }),
    ...(isFromUses ? { isInputFromUses: true } : {}),
    ...(output === undefined ? {} : { outputSchema: output }),
    notes,
  };

  function readInput(declared: Symbol, type: Type): JsonObject | undefined {
    const isUntyped =
      (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0 || isBarePattern(declared);
    // The generated type says nothing new, so what the code reads is added to it.
    if (isUntyped || isGenerated(context, "Input", type)) return readInputUses(declared, isUntyped);
    const schema = schemaOf(context, notes, type, "input");
    if (schema["type"] === "object") return schema;
    notes.push({ path: "input", message: messages.inputNotAnObject });
    return undefined;
  }

  /** Whether the type of a parameter is only what its destructuring says. In JavaScript, JSDoc may say more. */
  function isBarePattern({ declarations = [] }: Symbol): boolean {
    const [node] = declarations;
    const isPattern = node?.name?.kind === ts.SyntaxKind.ObjectBindingPattern;
    return isPattern && node.type === undefined && fileName.endsWith(".ts");
  }

  function readInputUses(declared: Symbol, isUntyped: boolean): JsonObject | undefined {
    const { schema, guessed } = readUses(context, declared);
    if (Object.keys(schema["properties"] ?? {}).length === 0) {
      const message = isUntyped ? messages.untypedInput : messages.generatedInput;
      notes.push({ path: "input", message });
      return undefined;
    }
    isFromUses = true;
    for (const name of guessed)
      notes.push({ path: `input.${name}`, message: messages.guessedText });
    return schema;
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

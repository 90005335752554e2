import type { Client } from "./client.ts";
import type { RunOptions } from "./run-tool.ts";

/** An input whose file fields accept a `Blob` instead of a file ID, which is then uploaded. */
export type WithFiles<Input, Field extends string> = {
  [Name in keyof Input]: Name extends Field ? FileInput<Input[Name]> : Input[Name];
};

type FileInput<Value> = Value extends readonly unknown[]
  ? readonly (Value[number] | Blob)[]
  : Value | Blob;

/** Functions that run tools, by the names of the functions. Generated code calls it, which knows the type of each. */
export function bindTools<Tools>(
  client: Pick<Client, "run">,
  toolNames: Readonly<Record<keyof Tools & string, string>>,
): Tools {
  const functions = Object.entries<string>(toolNames).map(
    ([name, toolName]) =>
      [
        name,
        (input?: unknown, options?: RunOptions) => client.run(toolName, input, options),
      ] as const,
  );
  return Object.fromEntries(functions) as Tools;
}

import type { ErrorDetail, ToolDraft } from "@toolhost/contract";
import { ServiceError } from "#core/errors";
import { checkInputSchema, compileInputSchema } from "./input-schema.ts";

/** Throws `invalid_tool` with everything that is wrong with a tool's declarations; its code is not looked at. */
export function checkDefinition(draft: ToolDraft): void {
  const schemaErrors = checkInputSchema(draft.inputSchema);
  const errors = [
    ...schemaErrors,
    ...checkOutputNames(draft),
    ...checkFileFields(draft),
    ...checkExposure(draft),
    ...(schemaErrors.length === 0 ? checkExamples(draft) : []),
  ];
  const [first] = errors;
  if (first === undefined) return;
  throw new ServiceError("invalid_tool", describe(first), { errors });
}

/** Throws `invalid_tool` when a tool is public that asks to see values of credentials. */
export function checkVisibility(tool: Pick<ToolDraft, "visibility" | "credentials">): void {
  const errors = checkExposure(tool);
  const [first] = errors;
  if (first !== undefined) throw new ServiceError("invalid_tool", describe(first), { errors });
}

/** No tool of another workspace gets to see a value, so a public tool that asks for one could never run there. */
function checkExposure({
  visibility,
  credentials,
}: Pick<ToolDraft, "visibility" | "credentials">): ErrorDetail[] {
  if (visibility !== "public") return [];
  return credentials.flatMap(({ expose }, index) =>
    expose === true
      ? [
          {
            path: `/credentials/${index}/expose`,
            message: "must be false in a public tool: other workspaces never expose credentials",
          },
        ]
      : [],
  );
}

function describe({ file, line, column, path, message }: ErrorDetail): string {
  return file === undefined
    ? `${path} ${message}`
    : `${file}:${line}:${column}: ${path} ${message}`;
}

function checkOutputNames({ outputSchema }: ToolDraft): ErrorDetail[] {
  const names = outputSchema.properties.map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          {
            path: `/outputSchema/properties/${index}/name`,
            message: `"${name}" is declared twice`,
          },
        ],
  );
}

function checkFileFields({ fileFields, inputSchema }: ToolDraft): ErrorDetail[] {
  const properties = inputSchema["properties"];
  const known = typeof properties === "object" && properties !== null ? properties : {};
  return fileFields.flatMap((field, index) =>
    Object.hasOwn(known, field)
      ? []
      : [
          {
            path: `/fileFields/${index}`,
            message: `"${field}" is no property of the input schema`,
          },
        ],
  );
}

function checkExamples({ examples, inputSchema }: ToolDraft): ErrorDetail[] {
  if (examples.length === 0) return [];
  const validate = compileInputSchema(inputSchema);
  return examples.flatMap(({ input }, index) =>
    validate(input, 0).map((error) => ({
      ...error,
      path: `/examples/${index}/input${error.path}`,
    })),
  );
}

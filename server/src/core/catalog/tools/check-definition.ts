import type { CreateToolInput, ErrorDetail, ToolExample } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import { overlaps } from "../approvals/needs.ts";
import type { AuthoringContext } from "../context.ts";
import { ServiceError } from "#core/kernel";

/**
 * Throws `invalid_tool` with every problem in a tool's declarations, and `rate_limited` as `Validation` does. Does not
 * check the code.
 */
export async function checkDefinition(
  { validation }: Pick<AuthoringContext, "validation">,
  { workspaceId }: Pick<Caller, "workspaceId">,
  draft: CreateToolInput,
): Promise<void> {
  const { inputSchema, examples } = draft;
  const inputs = examples.map(({ input }) => input);
  const schemaErrors = await validation.checkDefinition(workspaceId, inputSchema, inputs);
  const errors = [
    ...schemaErrors.filter(({ path }) => !expectsInvalidInput(examples, path)),
    ...checkOutputNames(draft),
    ...checkFileFields(draft),
    ...checkExposure(draft),
    ...checkCredentialHosts(draft),
  ];
  const [first] = errors;
  if (first === undefined) return;
  throw new ServiceError("invalid_tool", describe(first), { errors });
}

/** Whether an error is one that its example expects. */
function expectsInvalidInput(examples: readonly ToolExample[], path: string): boolean {
  const [, list, at] = path.split("/");
  const expect = list === "examples" ? examples[Number(at)]?.expect : undefined;
  return expect?.type === "failure" && expect.code === "invalid_input";
}

/** Throws `invalid_tool` if a public tool asks to expose credentials. */
export function checkVisibility(tool: Pick<CreateToolInput, "visibility" | "credentials">): void {
  const errors = checkExposure(tool);
  const [first] = errors;
  if (first !== undefined) throw new ServiceError("invalid_tool", describe(first), { errors });
}

/** Credentials are never exposed to tools of other workspaces, so such a public tool could not run there. */
function checkExposure({
  visibility,
  credentials,
}: Pick<CreateToolInput, "visibility" | "credentials">): ErrorDetail[] {
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

/**
 * A credential can only be sent to hosts that the tool may reach. A tool without hosts may still read a value, for
 * example to sign with it.
 */
function checkCredentialHosts({ credentials, allowedHosts }: CreateToolInput): ErrorDetail[] {
  if (allowedHosts.length === 0) return [];
  return credentials.flatMap(({ hosts }, at) =>
    hosts.flatMap((host, index) =>
      overlaps(host, allowedHosts)
        ? []
        : [
            {
              path: `/credentials/${at}/hosts/${index}`,
              message: `"${host}" is missing from allowedHosts. Add it there`,
            },
          ],
    ),
  );
}

function describe({ file, line, column, path, message }: ErrorDetail): string {
  return file === undefined
    ? `${path} ${message}`
    : `${file}:${line}:${column}: ${path} ${message}`;
}

function checkOutputNames({ outputSchema }: CreateToolInput): ErrorDetail[] {
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

function checkFileFields({ fileFields, inputSchema }: CreateToolInput): ErrorDetail[] {
  const properties = inputSchema["properties"];
  const known = typeof properties === "object" && properties !== null ? properties : {};
  return fileFields.flatMap((field, index) =>
    Object.hasOwn(known, field)
      ? []
      : [
          {
            path: `/fileFields/${index}`,
            message: `"${field}" is not a property of the input schema`,
          },
        ],
  );
}

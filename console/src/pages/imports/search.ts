import { oneOf, searchParams, text } from "#lib/search-params";

const kinds = ["openapi", "mcp", "folder"] as const;

/** `create` opens the dialog that creates an import or a draft, `tool` leads to the import of a tool. */
export const validateImportsSearch = searchParams({
  create: oneOf(kinds),
  tool: text,
});

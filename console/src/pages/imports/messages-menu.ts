/** Texts of the menu of imports, which other pages show as well. */
export const messages = {
  button: "Import",
  label: "What to import",
  openapi: "OpenAPI, Swagger or Postman",
  mcp: "MCP server",
  curl: "curl command",
  folder: "Folder of a tool",
} as const;

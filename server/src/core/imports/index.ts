export { applyChanges, listChanges } from "./changes.ts";
export { checkDueImports, checkImport } from "./check-imports.ts";
export type { ImportsContext } from "./context.ts";
export { createImportsState } from "./context.ts";
export { createImportedTools } from "./create-tools.ts";
export { createDraftFromRequest } from "./draft-from-request.ts";
export { createImport, deleteImport, getImport, listImports, renameImport } from "./imports.ts";
export { listImportItems } from "./list-items.ts";
export { publishImportedDrafts } from "./publish-drafts.ts";

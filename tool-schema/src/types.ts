export { declareTypes, generateTypes } from "./generate-types.ts";
export { docComment, literalType, propertyKey, toTypeName } from "./typescript-syntax.ts";

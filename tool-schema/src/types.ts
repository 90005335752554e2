export { declareTypes } from "./generate-types.ts";
export { inputTypes, outputType } from "./tool-types.ts";
export { docComment, literalType, propertyKey } from "./typescript-syntax.ts";

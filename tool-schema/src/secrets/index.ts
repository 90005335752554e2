export { asksForSecret } from "./asks-for-secret.ts";
export { isPlaceholder } from "./placeholder.ts";
export { isSecretLabel, isSecretName } from "./secret-names.ts";
export {
  isSecretMember,
  isSecretValue,
  isWholeSecret,
  replaceSecrets,
  splitScheme,
  withoutSecrets,
} from "./secret-values.ts";

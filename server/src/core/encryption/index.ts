export { followKey, openRootSecret } from "./root-secret.ts";
export type { Rotation } from "./rotate-keys.ts";
export { RotationError, rotateKeys } from "./rotate-keys.ts";

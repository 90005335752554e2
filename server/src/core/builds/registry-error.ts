/** Why a package cannot be had: it is not there, it may not be used, or the registry does not answer properly. */
export class RegistryError extends Error {
  override name = "RegistryError";
  readonly kind: "not_found" | "refused" | "unavailable";

  constructor(kind: RegistryError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

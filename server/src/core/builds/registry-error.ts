/** A package does not exist, may not be used, or the registry is unavailable. */
export class RegistryError extends Error {
  override name = "RegistryError";
  readonly kind: "not_found" | "refused" | "unavailable";

  constructor(kind: RegistryError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

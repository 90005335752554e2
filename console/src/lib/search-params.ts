/** Reads one search parameter of an address; undefined where the value is missing or not acceptable. */
type Reader<Value> = (value: unknown) => Value | undefined;

type Params<Readers> = {
  readonly [Name in keyof Readers]?:
    | (Readers[Name] extends Reader<infer Value> ? Value : never)
    | undefined;
};

/**
 * A `validateSearch` for a route. It drops a value that its reader does not accept, and never throws. The result always has
 * every name: the router merges it over the raw parameters, so a missing name would let the raw value through.
 */
export function searchParams<Readers extends Readonly<Record<string, Reader<unknown>>>>(
  readers: Readers,
) {
  return (search: Record<string, unknown>): Params<Readers> =>
    Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [name, read(search[name])]),
    ) as Params<Readers>;
}

/** Any text. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** One of a fixed set of texts. */
export function oneOf<Choice extends string>(choices: readonly Choice[]): Reader<Choice> {
  return (value) => choices.find((choice) => choice === value);
}

/** A whole number from 1 to 999,999,999. */
export function positiveInteger(value: unknown): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return /^[1-9]\d{0,8}$/.test(String(value)) ? Number(value) : undefined;
}

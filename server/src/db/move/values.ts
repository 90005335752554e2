/** Kinds of columns whose values the two databases represent differently. */
export type Kind = "text" | "whole" | "real" | "truth" | "date" | "bytes";

/** A value from the embedded database, with integers as `bigint`. */
export type SourceValue = string | bigint | number | Buffer | null;

/** A value in PostgreSQL's representation: integers as text, dates in milliseconds. */
export type TargetValue = string | number | boolean | Buffer | null;

const kinds: Readonly<Record<string, Kind>> = {
  text: "text",
  "character varying": "text",
  smallint: "whole",
  integer: "whole",
  bigint: "whole",
  "double precision": "real",
  boolean: "truth",
  "timestamp with time zone": "date",
  bytea: "bytes",
};

/** The kind of a PostgreSQL type; undefined if it is not supported. */
export function kindOf(type: string): Kind | undefined {
  return kinds[type];
}

/** Converts a value to each kind; undefined if it does not fit. */
const converters: Record<Kind, (value: SourceValue) => TargetValue | undefined> = {
  text: (value) => (typeof value === "string" ? value : undefined),
  whole: (value) => (typeof value === "bigint" ? value.toString() : undefined),
  real: (value) => (typeof value === "number" ? value : undefined),
  truth: (value) => (value === 0n || value === 1n ? value === 1n : undefined),
  date: (value) => {
    // The sign-in library writes this form. Any other form could mean another time zone.
    const date = new Date(typeof value === "string" ? value : Number.NaN);
    const isRight = !Number.isNaN(date.getTime()) && date.toISOString() === value;
    return isRight ? date.getTime() : undefined;
  },
  bytes: (value) => (Buffer.isBuffer(value) ? value : undefined),
};

/** The value that PostgreSQL must contain for a value of the embedded database. Throws if it does not fit. */
export function toTarget(kind: Kind, value: SourceValue): TargetValue {
  if (value === null) return null;
  const converted = converters[kind](value);
  if (converted === undefined) {
    throw new Error(`a value of type ${typeof value} does not fit its ${kind} column`);
  }
  return converted;
}

/** Whether PostgreSQL contains the expected value. */
export function isSame(expected: TargetValue, found: TargetValue): boolean {
  if (Buffer.isBuffer(expected)) return Buffer.isBuffer(found) && expected.equals(found);
  return Object.is(expected, found);
}

/** The approximate memory that a value takes. */
export function sizeOf(value: SourceValue): number {
  return typeof value === "string" || Buffer.isBuffer(value) ? value.length : 8;
}

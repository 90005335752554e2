/** What a column holds, as far as the two databases write it differently. */
export type Kind = "text" | "whole" | "real" | "truth" | "date" | "bytes";

/** A value as the embedded database gives it, whole numbers as `bigint`. */
export type SourceValue = string | bigint | number | Buffer | null;

/** A value as PostgreSQL takes and gives it: whole numbers as text, dates in milliseconds. */
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

/** The kind of a PostgreSQL type; undefined for one that is not moved yet. */
export function kindOf(type: string): Kind | undefined {
  return kinds[type];
}

/** What each kind makes of a value; undefined of one that does not fit. */
const converters: Record<Kind, (value: SourceValue) => TargetValue | undefined> = {
  text: (value) => (typeof value === "string" ? value : undefined),
  whole: (value) => (typeof value === "bigint" ? value.toString() : undefined),
  real: (value) => (typeof value === "number" ? value : undefined),
  truth: (value) => (value === 0n || value === 1n ? value === 1n : undefined),
  date: (value) => {
    // The sign-in library writes dates so, and another form may mean another time zone.
    const date = new Date(typeof value === "string" ? value : Number.NaN);
    const isRight = !Number.isNaN(date.getTime()) && date.toISOString() === value;
    return isRight ? date.getTime() : undefined;
  },
  bytes: (value) => (Buffer.isBuffer(value) ? value : undefined),
};

/** What PostgreSQL has to hold for a value of the embedded database. Throws for one that does not fit. */
export function toTarget(kind: Kind, value: SourceValue): TargetValue {
  if (value === null) return null;
  const converted = converters[kind](value);
  if (converted === undefined) {
    throw new Error(`a value of type ${typeof value} does not fit its ${kind} column`);
  }
  return converted;
}

/** Whether what PostgreSQL holds is what it has to hold. */
export function isSame(wanted: TargetValue, found: TargetValue): boolean {
  if (Buffer.isBuffer(wanted)) return Buffer.isBuffer(found) && wanted.equals(found);
  return Object.is(wanted, found);
}

/** About how much memory a value takes. */
export function sizeOf(value: SourceValue): number {
  return typeof value === "string" || Buffer.isBuffer(value) ? value.length : 8;
}

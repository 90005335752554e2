/** Large and unusual JSON values. */
export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function named(count: number, make: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(many(count, (index) => [`p${index}`, make(index)]));
}

export function deep(depth: number): unknown {
  return depth === 0 ? 1 : { a: deep(depth - 1) };
}

/** A schema for an object with one property. */
export function objectOf(a: unknown): Record<string, unknown> {
  return { type: "object", properties: { a } };
}

/** A text that repeats these letters. */
export function text(letters: string, length: number): string {
  return letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
}

const code = "export default async () => ({})";

/** A tool with this schema. */
export function hostileDraft(inputSchema: unknown, more: object = {}): object {
  return {
    title: "Hostile",
    description: "Takes long.",
    inputSchema,
    source: { language: "javascript", code },
    ...more,
  };
}

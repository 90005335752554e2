/** Characters that a reader does not see, but a model reads: controls, formatting, tags, fillers, private use. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text contains characters that a reader does not see, other than line breaks and tabs. */
export function hasInvisible(text: string): boolean {
  return text.replaceAll(/[\n\t]/g, "").search(invisible) >= 0;
}

/** A text as readers see it. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, "");
}

const maxPlaces = 5;
const maxPlaceLength = 80;

/** Where strings and names of a JSON value contain invisible characters, in words; undefined if none do. */
export function describeInvisible(root: unknown): string | undefined {
  const places = new Set<string>();
  for (const path of placesIn(root, "")) {
    places.add(`"${withoutInvisible(path).slice(0, maxPlaceLength).toWellFormed()}"`);
    if (places.size > maxPlaces) return `${[...places].slice(0, maxPlaces).join(", ")} and others`;
  }
  return places.size === 0 ? undefined : [...places].join(", ");
}

function* placesIn(value: unknown, path: string): Generator<string> {
  if (typeof value === "string" && hasInvisible(value)) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const place = `${path}/${name}`;
    if (hasInvisible(name) || /[\n\t]/.test(name)) yield place;
    yield* placesIn(member, place);
  }
}

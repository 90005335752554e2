import { editDistance } from "#lib/edit-distance";

/** A variable of the environment that is no setting, but differs from one in a letter or two. */
export type Misspelled = { name: string; meant: string };

/** Shorter names are similar to variables of other programs. */
const minLength = 8;
/** Longer names are no setting, and comparing them would take long. */
const maxLength = 64;
const maxDistance = 2;

/** Finds variables whose names are probably misspelled settings, and would otherwise be ignored silently. */
export function findMisspelled(names: readonly string[], known: readonly string[]): Misspelled[] {
  const settings = new Set(known);
  const candidates = known.filter((setting) => setting.length >= minLength);
  return names.flatMap((name) => {
    if (settings.has(name) || name.length < minLength || name.length > maxLength) return [];
    const [nearest] = candidates
      .map((meant) => ({ meant, distance: editDistance(name, meant, maxDistance) }))
      .filter(({ distance }) => distance <= maxDistance)
      .toSorted((one, other) => one.distance - other.distance);
    return nearest === undefined ? [] : [{ name, meant: nearest.meant }];
  });
}

import type { RequestField } from "@toolhost/tool-schema/curl";
import { isSameJson } from "#lib/json";

/** Fields that become one input: a value that the request contains in several places. */
export type FieldGroup = { first: RequestField; ids: string[]; places: RequestField["place"][] };

/** The groups of a request's fields, as the service makes inputs of them. Header values stay inputs of their own. */
export function groupFields(fields: readonly RequestField[]): FieldGroup[] {
  const groups: FieldGroup[] = [];
  for (const field of fields) {
    const group = groups.find(({ first }) => isShared(first, field));
    if (group === undefined) groups.push({ first: field, ids: [field.id], places: [field.place] });
    else {
      group.ids.push(field.id);
      group.places.push(field.place);
    }
  }
  return groups;
}

function isShared(one: RequestField, other: RequestField): boolean {
  if (one.name === "" || one.name !== other.name) return false;
  if (one.sample === undefined || !isSameJson(one.sample, other.sample)) return false;
  return [one, other].every(({ place, sample }) => {
    const isOptional = place === "query" && typeof sample !== "string";
    return place !== "header" && place !== "file" && !isOptional;
  });
}

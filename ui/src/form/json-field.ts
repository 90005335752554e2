import { h } from "../dom.ts";
import { toText } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import { emptyValue, makeFrame, makeSimpleField } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import { jsonMessages } from "./messages.ts";

/** Any value, written as JSON: for what no other field shows. */
export function makeJsonField(spec: FieldSpec): Field {
  const frame = makeFrame(spec, jsonMessages.hint);
  const control = h("textarea", {
    ...frame.control,
    rows: 5,
    class: "code",
    spellcheck: "false",
    autocapitalize: "off",
  });
  control.value = spec.initial === undefined ? "" : toText(spec.initial);
  return makeSimpleField(frame, control, {
    read: () => {
      if (control.value.trim() === "") return emptyValue(spec);
      try {
        return JSON.parse(control.value) as Json;
      } catch {
        return undefined;
      }
    },
    findProblems: () => {
      if (control.value.trim() === "") return [];
      try {
        JSON.parse(control.value);
        return [];
      } catch (error) {
        const reason = error instanceof Error ? error.message : "";
        return [{ path: [], message: jsonMessages.invalid(reason) }];
      }
    },
  });
}

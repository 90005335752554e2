import { h } from "../dom.ts";
import { toText } from "@toolhost/tool-schema/json";
import type { Json } from "@toolhost/tool-schema/json";
import { createControlField, createFrame, emptyValue } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import * as messages from "./messages.ts";

/** Creates a field for any value, edited as JSON. */
export function createJsonField(spec: FieldSpec): Field {
  const frame = createFrame(spec, messages.jsonHint);
  const control = h("textarea", {
    ...frame.control,
    rows: 5,
    class: "ui-input code",
    spellcheck: "false",
    autocapitalize: "off",
  });
  control.value = spec.initial === undefined ? "" : toText(spec.initial);
  return createControlField(frame, control, {
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
        return [{ path: [], message: messages.invalidJson(reason) }];
      }
    },
  });
}

import { h, newElementId } from "../dom.ts";
import type { Variant } from "@toolhost/tool-schema";
import { checkValue } from "@toolhost/tool-schema";
import { showMessages } from "./field.ts";
import type { Field, FieldSpec } from "./field.ts";
import { createGroup } from "./group.ts";
import * as messages from "./messages.ts";

/** Creates a field for a value of several possible types: a select for the type, and the field of that type. */
export function createVariantField(spec: FieldSpec, variants: readonly Variant[]): Field {
  const { initial, isRequired, plan, depth, label, form } = spec;
  const group = createGroup(spec);
  const id = newElementId();
  const select = h("select", { class: "ui-input", id });
  const canBeEmpty = !isRequired || plan.isNullable;
  if (canBeEmpty) select.append(h("option", { value: "" }, messages.notSet));
  for (const [index, variant] of variants.entries()) {
    select.append(h("option", { value: index }, variant.label));
  }
  const matching = variants.findIndex(
    ({ schema }) => initial !== undefined && checkValue(form.root, schema, initial).length === 0,
  );
  const hasValue = initial !== undefined && initial !== null;
  const selected = matching === -1 && (hasValue || !canBeEmpty) ? 0 : matching;
  select.value = selected === -1 ? "" : String(selected);
  const container = h("div");
  let field: Field | undefined;
  const show = (isFirst: boolean) => {
    const variant = select.value === "" ? undefined : variants[Number(select.value)];
    field =
      variant === undefined
        ? undefined
        : form.createField({
            schema: variant.schema,
            label: messages.variantValue(label, variant.label),
            isRequired: true,
            initial: isFirst ? initial : undefined,
            isFile: false,
            depth: depth + 1,
          });
    container.replaceChildren(...(field === undefined ? [] : [field.element]));
  };
  select.addEventListener("change", () => show(false));
  show(true);
  group.body.append(
    h(
      "div",
      { class: "ui-field" },
      h("label", { class: "ui-label", for: id }, messages.variantType(label)),
      h("span", { class: "ui-select" }, select),
    ),
    container,
  );
  return {
    element: group.element,
    read: () => {
      if (field !== undefined) return field.read();
      return plan.isNullable && (isRequired || initial === null) ? null : undefined;
    },
    findProblems: () => field?.findProblems() ?? [],
    showProblems: (problems) => {
      if (field !== undefined) return field.showProblems(problems);
      showMessages(group.problem, problems);
      return problems.length > 0 ? select : undefined;
    },
  };
}

import { h, newElementId } from "../dom.ts";
import type { Variant } from "@toolhost/tool-schema";
import { checkValue } from "@toolhost/tool-schema";
import type { Field, FieldSpec } from "./field.ts";
import { makeGroup } from "./group.ts";
import { showMessages } from "./field.ts";
import { variantMessages } from "./messages.ts";

/** A value of one of several kinds: first which one, then the fields of that kind. */
export function makeVariantField(spec: FieldSpec, variants: readonly Variant[]): Field {
  const { initial, isRequired, plan, depth, label, form } = spec;
  const group = makeGroup(spec);
  const id = newElementId();
  const select = h("select", { id });
  const mayBeEmpty = !isRequired || plan.isNullable;
  if (mayBeEmpty) select.append(h("option", { value: "" }, variantMessages.unset));
  for (const [index, variant] of variants.entries()) {
    select.append(h("option", { value: index }, variant.label));
  }
  const fits = variants.findIndex(
    ({ schema }) => initial !== undefined && checkValue(form.root, schema, initial).length === 0,
  );
  const isGiven = initial !== undefined && initial !== null;
  const start = fits === -1 && (isGiven || !mayBeEmpty) ? 0 : fits;
  select.value = start === -1 ? "" : String(start);
  const place = h("div");
  let field: Field | undefined;
  const show = (isFirst: boolean) => {
    const variant = select.value === "" ? undefined : variants[Number(select.value)];
    field =
      variant === undefined
        ? undefined
        : form.make({
            schema: variant.schema,
            label: variantMessages.value(label, variant.label),
            isRequired: true,
            initial: isFirst ? initial : undefined,
            isFile: false,
            depth: depth + 1,
          });
    place.replaceChildren(...(field === undefined ? [] : [field.element]));
  };
  select.addEventListener("change", () => show(false));
  show(true);
  group.body.append(
    h("div", { class: "field" }, h("label", { for: id }, variantMessages.type(label)), select),
    place,
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

import { button, h } from "../dom.ts";
import { objectsAt, own, textAt, toText } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { fieldLabel } from "@toolhost/tool-schema";
import type { ResultHost } from "./link.ts";
import * as messages from "./messages.ts";
import { renderTree } from "./render-tree.ts";
import { isShort, lazyDetails, renderValue } from "./render-value.ts";

const maxMembers = 200;

/** Renders a tool's output: the declared properties in their order, then the others. */
export function renderOutput(
  output: JsonObject,
  outputSchema: JsonObject,
  host: ResultHost,
): HTMLElement {
  const declared = objectsAt(outputSchema, "properties");
  const declaredByName = new Map(
    declared.map((property) => [textAt(property, "name") ?? "", property]),
  );
  const names = [...declaredByName.keys()].filter((name) => Object.hasOwn(output, name));
  const others = Object.keys(output).filter((name) => !declaredByName.has(name));
  const all = [...names, ...others];
  const members = all.slice(0, maxMembers).map((name) => {
    const property = declaredByName.get(name) ?? {};
    return renderMember(name, own(output, name) ?? null, { property, host });
  });
  if (all.length === 0) return h("p", { class: "muted" }, messages.noOutput);
  return h(
    "div",
    { class: "output" },
    h("dl", {}, ...members),
    lazyDetails(
      all.length > maxMembers ? messages.viewAllAsJson(all.length) : messages.viewAsJson,
      () => {
        const tree = renderTree(output);
        if (tree instanceof HTMLDetailsElement) tree.open = true;
        return tree;
      },
    ),
    renderActions(output, host),
  );
}

/** Buttons that copy or download the output. */
function renderActions(output: JsonObject, { copy, save }: ResultHost): HTMLElement | undefined {
  if (copy === undefined && save === undefined) return undefined;
  const file = { name: "output.json", type: "application/json" };
  const actions = [
    copy && button(messages.copyJson, () => copy(toText(output)), { class: "small" }),
    save &&
      button(messages.downloadJson, () => save({ ...file, text: toText(output) }), {
        class: "small",
      }),
  ];
  return h("div", { class: "tools" }, ...actions);
}

function renderMember(
  name: string,
  value: Json,
  { property, host }: { property: JsonObject; host: ResultHost },
): HTMLElement {
  const description = textAt(property, "description");
  const label = fieldLabel(name, property);
  return h(
    "div",
    { class: isShort(value) ? "member pair" : "member" },
    h("dt", { title: description === "" ? name : description }, label),
    h("dd", {}, renderValue(value, { name: label, declared: property, host, depth: 0 })),
  );
}

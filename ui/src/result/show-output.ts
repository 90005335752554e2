import { button, h, present } from "../dom.ts";
import { objectsAt, own, textAt, toText } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { ResultHost } from "./links.ts";
import { outputMessages } from "./messages.ts";
import { showTree } from "./show-tree.ts";
import { isShort, later, showValue } from "./show-value.ts";

const maxShown = 200;

/** Shows a tool's output: first what its author named, in that order, then whatever else came. */
export function showOutput(
  output: JsonObject,
  outputSchema: JsonObject,
  host: ResultHost,
): HTMLElement {
  const declared = objectsAt(outputSchema, "properties");
  const known = new Map(declared.map((one) => [textAt(one, "name") ?? "", one]));
  const names = [...known.keys()].filter((name) => Object.hasOwn(output, name));
  const others = Object.keys(output).filter((name) => !known.has(name));
  const all = [...names, ...others];
  const shown = all.slice(0, maxShown).map((name) => {
    const about = known.get(name) ?? {};
    return showMember(name, own(output, name) ?? null, { about, host });
  });
  if (all.length === 0) return h("p", { class: "muted" }, outputMessages.empty);
  return h(
    "div",
    { class: "output" },
    h("dl", {}, ...shown),
    later(
      all.length > maxShown ? outputMessages.allAsJson(all.length) : outputMessages.json,
      () => {
        const tree = showTree(output);
        if (tree instanceof HTMLDetailsElement) tree.open = true;
        return tree;
      },
    ),
    ...present([showTools(output, host)]),
  );
}

/** Takes the whole output elsewhere, as the tool gave it. */
function showTools(output: JsonObject, { copy, save }: ResultHost): HTMLElement | undefined {
  if (copy === undefined && save === undefined) return undefined;
  const file = { name: "output.json", type: "application/json" };
  const tools = [
    copy && button(outputMessages.copy, () => copy(toText(output)), { class: "tool" }),
    save &&
      button(outputMessages.save, () => save({ ...file, text: toText(output) }), { class: "tool" }),
  ];
  return h("div", { class: "tools" }, ...present(tools));
}

function showMember(
  name: string,
  value: Json,
  { about, host }: { about: JsonObject; host: ResultHost },
): HTMLElement {
  const description = textAt(about, "description");
  const label = textAt(about, "title") ?? name;
  return h(
    "div",
    { class: isShort(value) ? "member pair" : "member" },
    h("dt", { title: description === "" ? undefined : description }, label),
    h("dd", {}, showValue(value, { name: label, declared: about, host, depth: 0 })),
  );
}

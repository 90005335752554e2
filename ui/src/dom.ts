/** A child of an element. Strings become text nodes and are never parsed as HTML. */
export type Child = Node | string | undefined;

type Attribute = string | number | boolean | undefined;

/** Creates an element. `true` sets an attribute without a value; `false` and undefined omit it. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    const isBoolean = value === true && !name.startsWith("aria-");
    element.setAttribute(name, isBoolean ? "" : String(value));
  }
  element.append(...compact(children));
  return element;
}

/** Creates a button; `class` names its look. It never submits a form, because the sandbox of a host's frame may forbid that. */
export function button(
  label: string,
  onClick: () => void,
  attributes: Readonly<Record<string, Attribute>> = {},
): HTMLButtonElement {
  const classes = `ui-button ${String(attributes["class"] ?? "")}`.trim();
  const element = h("button", { type: "button", ...attributes, class: classes }, label);
  element.addEventListener("click", onClick);
  return element;
}

/** Removes undefined children. */
export function compact(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined);
}

let lastId = 0;

/** Creates an ID that is unique on the page. */
export function newElementId(): string {
  lastId += 1;
  return `toolhost-${lastId}`;
}

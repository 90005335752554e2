/** What an element may hold. Text is always text, whatever is in it. */
export type Child = Node | string | undefined;

type Attribute = string | number | boolean | undefined;

/** Makes an element. `true` sets an attribute without a value, `false` and undefined leave it out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    const isPlain = value === true && !name.startsWith("aria-");
    element.setAttribute(name, isPlain ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/** A button that does something; never one that submits a form, which a host's frame may forbid. */
export function button(
  label: string,
  onClick: () => void,
  attributes: Readonly<Record<string, Attribute>> = {},
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", onClick);
  return element;
}

/** Those children that are there. */
export function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined);
}

let ids = 0;

/** An id for an element that no other of this page has. */
export function newElementId(): string {
  ids += 1;
  return `toolhost-${ids}`;
}

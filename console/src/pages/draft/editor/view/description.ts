import type { Description, SignatureHelp } from "../compiler/answers.ts";

/** Shows what the compiler knows of a name. All of it is text of the tool and its packages, so none becomes markup. */
export function describe({ signature, documentation, tags }: Description): HTMLElement {
  const node = box();
  node.append(element("code", signature));
  if (documentation !== "") node.append(element("p", documentation));
  for (const { name, text } of tags) node.append(element("p", `@${name} ${text}`));
  return node;
}

/** Shows the signature of a called function, with the current parameter in bold. */
export function describeSignature(help: SignatureHelp): HTMLElement {
  const node = box();
  const code = element("code", help.before);
  code.append(element("b", help.parameter), help.after);
  node.append(code);
  if (help.documentation !== "") node.append(element("p", help.documentation));
  return node;
}

function box(): HTMLElement {
  const node = document.createElement("div");
  node.className = "cm-description";
  return node;
}

function element(name: string, text: string): HTMLElement {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}

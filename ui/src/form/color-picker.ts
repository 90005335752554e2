import { h } from "../dom.ts";
import * as messages from "./messages.ts";

const hexColor = /^#[0-9a-f]{6}$/i;

/**
 * Puts the browser's color picker beside a text field. The text is the value, because a color picker alone always has one, so
 * that it cannot be left out.
 */
export function withColorPicker(
  control: HTMLInputElement | HTMLTextAreaElement,
  label: string,
): HTMLElement {
  const picker = h("input", {
    class: "ui-input",
    type: "color",
    "aria-label": messages.pickColor(label),
  });
  const follow = () => {
    if (hexColor.test(control.value)) picker.value = control.value;
  };
  control.placeholder ||= messages.colorExample;
  control.addEventListener("input", follow);
  picker.addEventListener("input", () => {
    control.value = picker.value;
  });
  follow();
  return h("div", { class: "ui-affix" }, picker, control);
}

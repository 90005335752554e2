import { StateEffect, StateField } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { hoverTooltip, keymap, showTooltip, ViewPlugin } from "@codemirror/view";
import type { EditorView, Tooltip } from "@codemirror/view";
import { ask } from "../language.ts";
import { describe, describeSignature } from "./description.ts";

const setPopup = StateEffect.define<Tooltip | null>();

/** The signature of the function that is being called, or what is known of the name at the cursor. */
const popup = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setPopup)) return effect.value;
    if (shown === null || !transaction.docChanged) return shown;
    return { ...shown, pos: transaction.changes.mapPos(shown.pos) };
  },
  provide: (field) => showTooltip.from(field),
});

function popupAt(pos: number, node: HTMLElement): Tooltip {
  return { pos, above: true, create: () => ({ dom: node }) };
}

/** Shows types and documentation: of names below the pointer, at the cursor (Ctrl or Command with K and I), and of called functions. */
export function hover(path: string): Extension {
  const showAtCursor = (view: EditorView) => {
    const at = view.state.selection.main.head;
    ask("hover", path, at)
      .then((found) => {
        const shown = found === undefined ? null : popupAt(found.from, describe(found));
        view.dispatch({ effects: setPopup.of(shown) });
      })
      .catch(() => undefined);
    return true;
  };
  const closePopup = (view: EditorView) => {
    if (view.state.field(popup) === null) return false;
    view.dispatch({ effects: setPopup.of(null) });
    return true;
  };
  return [
    popup,
    hoverTooltip(async (_view, at) => {
      const found = await ask("hover", path, at).catch(() => undefined);
      if (found === undefined) return null;
      return {
        pos: found.from,
        end: found.to,
        above: true,
        create: () => ({ dom: describe(found) }),
      };
    }),
    signatureHelp(path),
    keymap.of([
      { key: "Mod-k Mod-i", run: showAtCursor },
      { key: "Escape", run: closePopup },
    ]),
  ];
}

/** Shows the signature after a bracket or comma was typed, or on Ctrl or Command with Shift and space. */
function signatureHelp(path: string): Extension {
  const show = (view: EditorView) => {
    const at = view.state.selection.main.head;
    const asked = view.state;
    ask("signature", path, at)
      .catch(() => undefined)
      .then((help) => {
        // The cursor moved on; a later question is about its new position.
        if (view.state.selection.main.head !== at || view.state.doc !== asked.doc) return;
        const shown = help === undefined ? null : popupAt(at, describeSignature(help));
        view.dispatch({ effects: setPopup.of(shown) });
      })
      .catch(() => undefined);
    return true;
  };
  const follow = ViewPlugin.define(() => ({
    update: ({ view, docChanged, selectionSet, state, transactions }) => {
      if (!docChanged && !selectionSet) return;
      const { head } = state.selection.main;
      const typed = transactions.some((one) => one.isUserEvent("input"));
      const isCall = typed && /[(,]$/.test(state.sliceDoc(Math.max(0, head - 2), head).trimEnd());
      if (isCall || state.field(popup) !== null) queueMicrotask(() => show(view));
    },
  }));
  return [follow, keymap.of([{ key: "Mod-Shift-Space", run: show }])];
}

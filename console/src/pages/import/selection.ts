import type { ImportItem } from "@toolhost/contract";

/** The selected items by key. They may be on pages and under filters that are not shown. */
export type Selection = ReadonlyMap<string, ImportItem>;

/** Whether a tool can be made of an item that has no tool or draft yet. */
export function isSelectable({ problem, toolName, draftId }: ImportItem): boolean {
  return problem === null && toolName === null && draftId === null;
}

/** A selection with or without items. */
export function changeSelection(
  selection: Selection,
  items: readonly ImportItem[],
  isSelected: boolean,
): Selection {
  const changed = new Map(selection);
  for (const item of items) {
    if (isSelected && isSelectable(item)) changed.set(item.key, item);
    else changed.delete(item.key);
  }
  return changed;
}

/** Whether a selection has every one of the items that can be selected, of which there is one at least. */
export function hasAll(selection: Selection, items: readonly ImportItem[]): boolean {
  const selectable = items.filter(isSelectable);
  return selectable.length > 0 && selectable.every(({ key }) => selection.has(key));
}

/** The size of the input schemas of the selected items. */
export function sizeOf(selection: Selection): number {
  return [...selection.values()].reduce((sum, { schemaBytes }) => sum + schemaBytes, 0);
}

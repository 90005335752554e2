import type { Preferences } from "@toolhost/contract";
import { Bookmark, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, useState } from "react";
import { loadChunk } from "#lib/load-chunk";
import { Button, IconButton } from "./button.tsx";
import { LazyPart } from "./lazy-part.tsx";
import { Menu } from "./menu.tsx";
import { messages } from "./messages-table.ts";
import { usePreferences } from "./use-preferences.tsx";

const SaveViewDialog = lazy(async () => loadChunk(() => import("./save-view-dialog.tsx")));

const maxViews = 20;

/** The filters of a list that the user has saved under names. */
export function SavedViews({
  page,
  filters,
  onOpen,
}: {
  /** The list; the one of tools if omitted. */
  page?: Preferences["views"][number]["page"];
  /** Those that are set. */
  filters: Readonly<Record<string, string>>;
  onOpen: (filters: Record<string, string>) => void;
}): ReactNode {
  const { preferences, change, isPending } = usePreferences();
  const [isNaming, setNaming] = useState(false);
  const all = preferences?.views ?? [];
  const views = all.filter((view) => view.page === page);
  const current = views.find((view) => isSame(view.search, filters));
  const without = (latest: Preferences, name: string) =>
    latest.views.filter((view) => view.page !== page || view.name !== name);
  const save = (name: string) => {
    const view = { ...(page === undefined ? {} : { page }), name, search: filters };
    change((latest) => ({ views: [...without(latest, name), view] }), {
      onSuccess: () => setNaming(false),
    });
  };
  const entries = [
    ...views.map((view) => ({
      id: view.name,
      label: view.name,
      onAction: () => onOpen(view.search),
    })),
    ...(Object.keys(filters).length > 0 && current === undefined && all.length < maxViews
      ? [{ id: " save", label: messages.saveView, onAction: () => setNaming(true) }]
      : []),
  ];
  return (
    <>
      {entries.length === 0 ? null : (
        <Menu
          label={messages.views}
          entries={entries}
          trigger={
            <Button>
              <Bookmark size={15} aria-hidden />
              {current?.name ?? messages.views}
            </Button>
          }
        />
      )}
      {current === undefined ? null : (
        <IconButton
          label={messages.deleteView(current.name)}
          onPress={() => change((latest) => ({ views: without(latest, current.name) }))}
        >
          <Trash2 size={15} aria-hidden />
        </IconButton>
      )}
      {isNaming ? (
        <LazyPart lines={0}>
          <SaveViewDialog isPending={isPending} onSave={save} onClose={() => setNaming(false)} />
        </LazyPart>
      ) : null}
    </>
  );
}

function isSame(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

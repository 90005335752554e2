import type { Me } from "@toolhost/contract";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Button } from "#components/button";
import { loadChunk } from "#lib/load-chunk";
import { messages } from "./messages.ts";

const CommandPalette = lazy(async () => ({
  default: (await loadChunk(() => import("./command-palette/command-palette.tsx"))).CommandPalette,
}));
const ShortcutsDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./shortcuts-dialog.tsx"))).ShortcutsDialog,
}));
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the command palette, also with Ctrl+K or ⌘K outside the code editor, which has its own shortcuts. `?` lists them. */
export function CommandPaletteButton({ me, onOpen }: { me: Me; onOpen: () => void }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "?" && !isTyping(event.target)) {
        event.preventDefault();
        setSheetOpen(true);
        return;
      }
      const isModified = isMac ? event.metaKey : event.ctrlKey;
      if (!isModified || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return;
      if (event.target instanceof Element && event.target.closest(".cm-editor")) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Button
        className="w-full justify-start! text-soft"
        aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
        onPress={() => setOpen(true)}
      >
        <Search size={16} aria-hidden />
        {messages.openPalette}
        <kbd aria-hidden className="ml-auto text-xs [font-family:inherit]">
          {isMac ? "⌘K" : "Ctrl K"}
        </kbd>
      </Button>
      {isOpen ? (
        <Suspense>
          <CommandPalette
            me={me}
            onShortcuts={() => setSheetOpen(true)}
            onClose={() => {
              setOpen(false);
              onOpen();
            }}
          />
        </Suspense>
      ) : null}
      {isSheetOpen ? (
        <Suspense>
          <ShortcutsDialog onClose={() => setSheetOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Whether the element takes text input. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  return target.isContentEditable || isField;
}

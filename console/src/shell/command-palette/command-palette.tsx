import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Me, Tool } from "@toolhost/contract";
import { CornerDownRight, Wrench } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { useState } from "react";
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from "react-aria-components";
import { itemQuery } from "#api/queries";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { findDestinations } from "./destinations.ts";

const maxTools = 8;

/** One field by which one goes to any page and any tool. */
export function CommandPalette({ me, onClose }: { me: Me; onClose: () => void }): ReactNode {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const tools = useTools(text.trim());
  const destinations = findDestinations(text, me.scopes);
  const leave = (navigation: Promise<void>) => {
    onClose();
    void navigation;
  };
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => (open ? undefined : onClose())}
      className="fixed inset-0 z-50 flex items-start justify-center overflow-auto bg-black/40 px-4 pt-[10vh] pb-4"
    >
      <Modal className="w-full max-w-xl overflow-hidden rounded-xl border border-line bg-paper shadow-xl">
        <Dialog aria-label="Go to a page or a tool" className="outline-none">
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- What is in it has the focus; this hears its keys. */}
          <div onKeyDownCapture={takeFirst}>
            <Autocomplete inputValue={text} onInputChange={setText}>
              {/* It is the first thing in a dialog that was opened to type in. */}
              {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
              <SearchField aria-label="Go to a page or a tool" autoFocus>
                <Input
                  placeholder="Page or tool…"
                  className="w-full border-b border-line bg-paper px-4 py-3 outline-none placeholder:text-soft [&::-webkit-search-cancel-button]:hidden"
                />
              </SearchField>
              <div
                // What can be scrolled has to be reachable by keyboard.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, as axe asks for it.
                tabIndex={0}
                role="group"
                aria-label="What fits"
                className="max-h-[60vh] overflow-auto"
              >
                <Menu
                  aria-label="Pages and tools"
                  className="p-1.5 outline-none"
                  renderEmptyState={() => (
                    <p className="p-4 text-center text-soft">Nothing found.</p>
                  )}
                >
                  <Section title="Pages" isShown={destinations.length > 0}>
                    {destinations.map(({ to, label }) => (
                      <Entry
                        key={to}
                        id={`page ${to}`}
                        label={label}
                        icon={<CornerDownRight size={16} aria-hidden />}
                        onAction={() => leave(navigate({ to }))}
                      />
                    ))}
                  </Section>
                  <Section title="Tools" isShown={tools.length > 0}>
                    {tools.map(({ name, title, description }) => (
                      <Entry
                        key={name}
                        id={`tool ${name}`}
                        label={title}
                        hint={description}
                        icon={<Wrench size={16} aria-hidden />}
                        onAction={() => leave(navigate({ to: "/tools/$name", params: { name } }))}
                      />
                    ))}
                  </Section>
                </Menu>
              </div>
            </Autocomplete>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * The tools that fit best; of no text the newest. While new ones come, earlier ones stay whose title has the text in it, so that
 * Enter never opens what was found for something else.
 */
function useTools(text: string): readonly Tool[] {
  const settled = useDebouncedValue(text);
  const found = useQuery({
    ...itemQuery("/skills/search", { query: { q: settled, limit: maxTools } }),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
  });
  const newest = useQuery(itemQuery("/tools", { query: { limit: maxTools } }));
  const matches = found.data?.results[0]?.matches;
  if (text === "") return newest.data ?? [];
  if (settled === text && matches !== undefined && !found.isPlaceholderData) return matches;
  const earlier = (settled === "" ? undefined : matches) ?? newest.data ?? [];
  return earlier.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
}

/** When what was pointed at is gone from the list, Enter takes the first that is there. */
function takeFirst(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  if (!(target instanceof HTMLInputElement) || target.value.trim() === "") return;
  const pointed = target.getAttribute("aria-activedescendant");
  if (pointed !== null && document.querySelector(`[id="${CSS.escape(pointed)}"]`) !== null) return;
  event.preventDefault();
  currentTarget.querySelector<HTMLElement>("[role=menuitem]")?.click();
}

function Section({
  title,
  isShown,
  children,
}: {
  title: string;
  isShown: boolean;
  children: ReactNode;
}): ReactNode {
  if (!isShown) return null;
  return (
    <MenuSection>
      <Header className="px-2.5 pt-2 pb-1 text-xs text-soft">{title}</Header>
      {children}
    </MenuSection>
  );
}

function Entry({
  id,
  label,
  hint,
  icon,
  onAction,
}: {
  id: string;
  label: string;
  hint?: string;
  icon: ReactNode;
  onAction: () => void;
}): ReactNode {
  return (
    <MenuItem
      id={id}
      textValue={label}
      onAction={onAction}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm outline-none data-focused:bg-strong-soft"
    >
      <span className="text-soft">{icon}</span>
      <span className="shrink-0 font-medium">{label}</span>
      {hint === undefined ? null : <span className="truncate text-soft">{hint}</span>}
    </MenuItem>
  );
}

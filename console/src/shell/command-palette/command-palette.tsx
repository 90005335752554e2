import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Me, Tool } from "@toolhost/contract";
import { CornerDownRight, Wrench, Zap } from "lucide-react";
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
import { setCurrentWorkspace } from "#api/current-workspace";
import { itemQuery } from "#api/queries";
import { applyTheme } from "#lib/theme";
import { useDebouncedValue } from "#lib/use-debounced-value";
import { findActions, toolToRun } from "./actions.ts";
import type { PaletteAction } from "./actions.ts";
import { findDestinations } from "./destinations.ts";
import { messages } from "./messages.ts";

const maxTools = 8;

/** A search field that opens any page or tool. */
export function CommandPalette({
  me,
  onClose,
  onShortcuts,
}: {
  me: Me;
  onClose: () => void;
  onShortcuts: () => void;
}): ReactNode {
  const [query, setQuery] = useState("");
  const navigate = useNavigate();
  const runText = me.scopes.includes("mcp:execute") ? toolToRun(query) : undefined;
  const tools = useTools(runText ?? query.trim());
  const actions = findActions(query, me);
  const act = useAct(onClose, onShortcuts);
  const destinations = findDestinations(query, me.scopes);
  const close = (navigation: Promise<void>) => {
    onClose();
    void navigation;
  };
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => (open ? undefined : onClose())}
      className="ui-backdrop flex items-start justify-center px-4 pt-[10vh] pb-4"
    >
      <Modal className="ui-dialog max-w-xl overflow-hidden">
        <Dialog aria-label={messages.title} className="outline-none">
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- It handles keys of the focused elements inside it. */}
          <div onKeyDownCapture={openFirst}>
            <Autocomplete inputValue={query} onInputChange={setQuery}>
              {/* It is the first thing in a dialog that was opened to type in. */}
              {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
              <SearchField aria-label={messages.title} autoFocus>
                <Input
                  placeholder={messages.placeholder}
                  className="w-full border-b border-line bg-transparent px-4 py-3 outline-none placeholder:text-soft [&::-webkit-search-cancel-button]:hidden"
                />
              </SearchField>
              <div
                // A scrollable area must be reachable by keyboard.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1, checked by axe.
                tabIndex={0}
                role="group"
                aria-label={messages.results}
                className="max-h-[60vh] overflow-auto"
              >
                <Menu
                  aria-label={messages.menu}
                  className="p-1.5 outline-none"
                  renderEmptyState={() => (
                    <p className="p-4 text-center text-soft">{messages.noResults}</p>
                  )}
                >
                  <Section title={messages.pages} isShown={destinations.length > 0}>
                    {destinations.map(({ to, label }) => (
                      <Entry
                        key={to}
                        id={`page ${to}`}
                        label={label}
                        icon={<CornerDownRight size={16} aria-hidden />}
                        onAction={() => close(navigate({ to }))}
                      />
                    ))}
                  </Section>
                  <Section title={messages.tools} isShown={tools.length > 0}>
                    {tools.map(({ name, title, description }) => (
                      <Entry
                        key={name}
                        id={`tool ${name}`}
                        label={runText === undefined ? title : messages.actions.runTool(title)}
                        hint={description}
                        icon={<Wrench size={16} aria-hidden />}
                        onAction={() =>
                          close(
                            navigate({
                              to: "/tools/$name",
                              params: { name },
                              search: runText === undefined ? {} : { tab: "run" },
                            }),
                          )
                        }
                      />
                    ))}
                  </Section>
                  <Actions actions={actions} onAct={act} />
                </Menu>
              </div>
            </Autocomplete>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Actions({
  actions,
  onAct,
}: {
  actions: readonly PaletteAction[];
  onAct: (action: PaletteAction) => void;
}): ReactNode {
  return (
    <Section title={messages.actionsTitle} isShown={actions.length > 0}>
      {actions.map((action) => (
        <Entry
          key={action.id}
          id={`action ${action.id}`}
          label={action.label}
          icon={<Zap size={16} aria-hidden />}
          onAction={() => onAct(action)}
        />
      ))}
    </Section>
  );
}

/** Returns what carries out an action, after the palette is closed. */
function useAct(onClose: () => void, onShortcuts: () => void): (action: PaletteAction) => void {
  const navigate = useNavigate();
  const client = useQueryClient();
  return (action) => {
    onClose();
    switch (action.kind) {
      case "theme":
        applyTheme(action.theme);
        break;
      case "workspace":
        setCurrentWorkspace(action.workspaceId);
        void navigate({ to: "/" });
        // Data of one workspace must not show in another.
        void client.resetQueries();
        break;
      case "run":
        void navigate({ to: "/runs/$runId", params: { runId: action.runId } });
        break;
      case "shortcuts":
        onShortcuts();
        break;
    }
  };
}

/**
 * The best matches, or the newest tools for an empty text. While new results load, earlier ones stay only if their title contains
 * the text, so that Enter never opens a result of another search.
 */
function useTools(query: string): readonly Tool[] {
  const debounced = useDebouncedValue(query);
  const found = useQuery({
    ...itemQuery("/skills/search", { query: { q: debounced, limit: maxTools } }),
    enabled: debounced !== "",
    placeholderData: keepPreviousData,
  });
  const newest = useQuery(itemQuery("/tools", { query: { limit: maxTools } }));
  const matches = found.data?.results[0]?.matches;
  if (query === "") return newest.data ?? [];
  if (debounced === query && matches !== undefined && !found.isPlaceholderData) return matches;
  const previous = (debounced === "" ? undefined : matches) ?? newest.data ?? [];
  return previous.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()));
}

/** Enter opens the first result if the highlighted one is no longer in the list. */
function openFirst(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  if (!(target instanceof HTMLInputElement) || target.value.trim() === "") return;
  const highlighted = target.getAttribute("aria-activedescendant");
  if (highlighted !== null && document.querySelector(`[id="${CSS.escape(highlighted)}"]`) !== null)
    return;
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
    <MenuItem id={id} textValue={label} onAction={onAction} className="ui-item">
      <span className="text-soft">{icon}</span>
      <span className="shrink-0 font-medium">{label}</span>
      {hint === undefined ? null : <span className="truncate text-soft">{hint}</span>}
    </MenuItem>
  );
}

import type { KnownBlock, View } from "@slack/types";
import type { ChatHome, ChatPanel } from "#core/chat";
import { clip, toSlackBlocks } from "./slack-blocks.ts";
import { toSlackView } from "./slack-form.ts";

/** Slack's limits for views. */
const maxBlocks = 100;
const maxHeaderLength = 150;
const maxTextLength = 3_000;
const maxLabelLength = 75;
const maxTitleLength = 24;
const maxUrlLength = 3_000;

/** The start of the `action_id` of a button that opens the form of a tool. */
export const runToolAction = "run-tool-";

/** A panel as a modal. */
export function toPanelView(panel: ChatPanel): View {
  if (panel.kind === "form") return toSlackView(panel.form);
  const text: KnownBlock = { type: "section", text: plain(panel.text, maxTextLength) };
  const rest = panel.kind === "choice" ? optionBlocks(panel) : buttonBlocks(panel);
  return {
    type: "modal",
    title: plain(panel.title, maxTitleLength),
    close: plain("Close", maxTitleLength),
    blocks: [text, ...rest].slice(0, maxBlocks),
  };
}

function optionBlocks({ options }: Extract<ChatPanel, { kind: "choice" }>): KnownBlock[] {
  return options.map(({ title, description, button }, index) => {
    const { label } = button;
    const value = "url" in button ? "" : `${button.questionId}:${button.choice}`;
    return section(`${title}\n${description}`, { action_id: `option-${index}`, label, value });
  });
}

function buttonBlocks({
  buttons = [],
}: Extract<ChatPanel, { kind: "notice" | "loading" }>): KnownBlock[] {
  return toSlackBlocks([{ kind: "buttons", buttons }]) as KnownBlock[];
}

/** A person's Home. Its texts are plain, because authors of tools wrote some of them. */
export function toHomeView({ sections }: ChatHome): View {
  let count = 0;
  const actionId = (toolName?: string) =>
    `${toolName === undefined ? "open-" : runToolAction}${count++}`;
  const blocks = sections.flatMap(({ title, text, items = [], buttons = [] }): KnownBlock[] => [
    ...(title === undefined
      ? []
      : [{ type: "header" as const, text: plain(title, maxHeaderLength) }]),
    ...(text === undefined ? [] : [section(text)]),
    ...items.map(({ text: words, button }) =>
      button === undefined ? section(words) : section(words, toButton(button, actionId)),
    ),
    ...(buttons.length === 0
      ? []
      : [
          {
            type: "actions" as const,
            elements: buttons.slice(0, 25).map((one) => element(toButton(one, actionId))),
          },
        ]),
  ]);
  return { type: "home", blocks: blocks.slice(0, maxBlocks) };
}

type ViewButton = { action_id: string; label: string; value?: string; url?: string };
type HomeButton = NonNullable<ChatHome["sections"][number]["buttons"]>[number];

function toButton(button: HomeButton, actionId: (toolName?: string) => string): ViewButton {
  const { label } = button;
  if ("url" in button) return { action_id: actionId(), label, url: button.url };
  return { action_id: actionId(button.toolName), label, value: button.toolName };
}

function section(text: string, button?: ViewButton): KnownBlock {
  const block = { type: "section" as const, text: plain(text, maxTextLength) };
  return button === undefined ? block : { ...block, accessory: element(button) };
}

function element({ action_id, label, value, url }: ViewButton) {
  return {
    type: "button" as const,
    action_id,
    text: plain(label, maxLabelLength),
    ...(url === undefined || url.length > maxUrlLength ? { value: value ?? "" } : { url }),
  };
}

function plain(text: string, length: number) {
  return { type: "plain_text" as const, text: clip(text, length) || " ", emoji: false };
}

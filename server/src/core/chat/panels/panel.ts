import type { ChatButton, ChatForm } from "../block.ts";

/** A window over the chat that only one person sees, and whose content can change. */
export type ChatPanel =
  | { kind: "loading" | "notice"; title: string; text: string; buttons?: readonly ChatButton[] }
  | { kind: "choice"; title: string; text: string; options: readonly ChatOption[] }
  | { kind: "form"; form: ChatForm };

/** An option with the button that chooses it. */
type ChatOption = { title: string; description: string; button: ChatButton };

/** A person's page in the chat, above their conversation with the bot. */
export type ChatHome = { sections: readonly HomeSection[] };

type HomeSection = {
  title?: string;
  text?: string;
  items?: readonly HomeSectionItem[];
  buttons?: readonly HomeButton[];
};

/** A text with a button beside it. */
export type HomeSectionItem = { text: string; button?: HomeButton };

/** A button that opens the form of a tool, or a URL. */
type HomeButton = { label: string } & ({ toolName: string } | { url: string });

/** A message that a person can send by choosing its title. */
type ChatPrompt = { title: string; message: string };

/** What platforms with windows and a page of their own provide. Throws `ChatError`, as all of a transport. */
export type ChatPanels = {
  /** Opens a panel. Undefined if this trigger has opened one already. */
  open(triggerId: string, panel: ChatPanel): Promise<string | undefined>;
  update(panelId: string, panel: ChatPanel): Promise<void>;
  /** Replaces a person's Home; false if it is no longer the version that `hash` identifies. */
  publishHome(chatUserId: string, home: ChatHome, hash?: string): Promise<boolean>;
  /** Suggests messages to the person in a conversation with the bot, on platforms that can. */
  suggest(channel: string, prompts: readonly ChatPrompt[]): Promise<void>;
  /** The URL of a message of ours; undefined if there is none. */
  findUrl(channel: string, messageId: string): Promise<string | undefined>;
};

import type { RESTPutAPIApplicationGuildCommandsJSONBody } from "discord-api-types/v10";
import { messages } from "./messages.ts";

/** The command that people type. */
export const slashCommand = "toolhost";
/** The entry in the menu of a message. */
export const messageCommand = "Ask Toolhost";

const attachmentOption = 11;
const stringOption = 3;

/** The commands that are registered when a server is connected. */
export const commands: RESTPutAPIApplicationGuildCommandsJSONBody = [
  {
    type: 1,
    name: slashCommand,
    description: messages.commandDescription,
    options: [
      {
        type: stringOption,
        name: "text",
        description: messages.textDescription,
        required: true,
        max_length: 4_000,
      },
      ...["file", "file2", "file3"].map((name) => ({
        type: attachmentOption,
        name,
        description: messages.fileDescription,
        required: false,
      })),
    ],
  },
  { type: 3, name: messageCommand },
];

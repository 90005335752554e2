import type { RESTPutAPIApplicationGuildCommandsJSONBody } from "discord-api-types/v10";

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
    description: "Ask Toolhost to do something with your workspace's tools",
    options: [
      {
        type: stringOption,
        name: "text",
        description: "What to do, in your own words",
        required: true,
        max_length: 4_000,
      },
      ...["file", "file2", "file3"].map((name) => ({
        type: attachmentOption,
        name,
        description: "A file to work with",
        required: false,
      })),
    ],
  },
  { type: 3, name: messageCommand },
];

/** What people type to ask. */
export const slashCommand = "toolhost";
/** What they choose in a message's menu. */
export const messageCommand = "Ask Toolhost";

const attachmentOption = 11;
const stringOption = 3;

/** The commands that a server gets when it is connected. */
export const commands = [
  {
    type: 1,
    name: slashCommand,
    description: "Asks Toolhost to do something with your workspace's tools",
    options: [
      {
        type: stringOption,
        name: "text",
        description: "What to do, in your words",
        required: true,
        max_length: 4_000,
      },
      ...["file", "file2", "file3"].map((name) => ({
        type: attachmentOption,
        name,
        description: "A file that it is about",
        required: false,
      })),
    ],
  },
  { type: 3, name: messageCommand },
];

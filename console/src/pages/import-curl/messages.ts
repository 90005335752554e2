import type { Credential } from "@toolhost/contract";
import type { RequestField, Secret } from "@toolhost/tool-schema/curl";

const places: Readonly<Record<Secret["place"] | RequestField["place"], string>> = {
  path: "Path",
  query: "Query",
  header: "Header",
  body: "Body",
  file: "File",
  whole: "Body",
  user: "User name",
  password: "Password",
};

/** Texts of the page that makes a tool of a curl command. */
export const messages = {
  back: "All imports",
  title: "Import a curl command",
  lead: "Paste a command from an API's documentation or from your browser's developer tools. It becomes a draft of a tool.",
  command: "Command",
  commandHint:
    "It is read in your browser and stored nowhere. Secrets in it are sent to this service only if you save them as credentials.",
  commandPlaceholder: "curl https://api.example.com/v1/users/42 -H 'Authorization: Bearer …'",
  request: "Request",
  notes: "About this request",
  unreachable: "Tools can't reach this host",
  toolTitle: "Title of the tool",

  secrets: {
    title: "Secrets",
    lead: (host: string) =>
      `The tool's code sees only placeholders. Credentials are sent to ${host} and to no other host.`,
    label: (place: Secret["place"], name: string) => {
      if (place === "user" || place === "password") return `${places[place]} of the login`;
      return place === "path" ? "Secret part of the path" : `${places[place]} ${name}`;
    },
    found: (length: number) => (length === 1 ? "1 character" : `${length} characters`),
    use: "Comes from",
    create: (name: string) => `New credential ${name}`,
    createHint: "Saved together with the draft",
    existingHint: (hosts: readonly string[], isValueKnown: boolean) =>
      `Existing credential for ${hosts.join(", ")}${isValueKnown ? ". The value in the command is not used." : ""}`,
    saved: (name: string, owner: Credential["owner"]) =>
      owner === "user"
        ? `You already have ${name} for this host.`
        : `The workspace already has ${name} for this host.`,
    chooseSaved: (name: string) => `Use ${name}`,
    input: "Input of the tool",
    inputHint: "For a value that is no secret, or that differs in each run",
    name: "Name of the credential",
    value: "Value",
    valueHint:
      "The command contains a placeholder. Enter the value, or leave it empty and add it later.",
    tooShort: "The value has fewer than 4 characters, so it can't be saved as a credential.",
    badName: "Start with A–Z, and use only A–Z, 0–9 and _.",
    taken: "A credential has this name already. Enter another name, or choose that credential.",
    owner: "New credentials are available to",
    onlyYou: "Only you can use the new credentials.",
  },

  fields: {
    title: "Inputs",
    lead: "Selected values are inputs of the tool, with the command's value as the example. The others are written into its code.",
    none: "The tool has no inputs: it always sends this request.",
    places: (all: readonly RequestField["place"][]) => {
      const [first = "body", ...rest] = all;
      return [places[first], ...rest.map((place) => places[place].toLowerCase())].join(" and ");
    },
    fixed: (names: readonly string[]) => {
      const more = names.length > 4 ? ` and ${names.length - 4} more` : "";
      return `Written into the code: ${names.slice(0, 4).join(", ")}${more}`;
    },
    whole: "The whole body",
    file: "A file",
    noSample: "no example",
    always: "always an input",
  },

  create: "Create draft",
  created: (title: string) => `Created a draft of ${title}`,
  notSaved: (name: string, reason: string) => `${name} was not saved. ${reason}`,
} as const;

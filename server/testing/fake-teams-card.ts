type Node = Record<string, unknown>;

/** The properties of each element, action and input of schema 1.5 that the bot may send; `!` marks required ones. */
const known: Readonly<Record<string, string>> = {
  AdaptiveCard: "type! $schema! version! body! msteams",
  RichTextBlock: "type! inlines! spacing",
  TextRun: "type! text! weight fontType selectAction",
  TextBlock: "type! text! wrap",
  Image: "type! url! altText!",
  ActionSet: "type! actions!",
  Table: "type! columns! rows!",
  TableRow: "type cells!",
  TableCell: "type items!",
  "Action.OpenUrl": "type! url! title",
  "Action.Execute": "type! title! verb! data! style",
  "Input.Text": "type! id! label! isRequired! errorMessage value isMultiline maxLength style",
  "Input.Number": "type! id! label! isRequired! errorMessage value min max",
  "Input.Toggle": "type! id! title! isRequired! errorMessage value",
  "Input.Date": "type! id! label! isRequired! errorMessage value",
  "Input.Time": "type! id! label! isRequired! errorMessage value",
  "Input.ChoiceSet": "type! id! label! isRequired! errorMessage value choices! isMultiSelect",
};
const enums: Readonly<Record<string, readonly string[]>> = {
  weight: ["Lighter", "Default", "Bolder"],
  fontType: ["Default", "Monospace"],
  spacing: ["None", "Small", "Default"],
};
const maxActions = 6;

/** What is wrong with a card. */
export function checkCard(card: unknown): string[] {
  const { type, version } = card as Node;
  if (type !== "AdaptiveCard") return [`${String(type)} is no card`];
  const problems = Number(version) > 1.5 ? [`version ${String(version)}`] : [];
  const ids = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const given = node as Node;
    if (typeof given["type"] === "string") problems.push(...checkNode(given, ids));
    for (const [name, value] of Object.entries(given)) if (name !== "msteams") visit(value);
  };
  visit(card);
  return [...problems, ...checkMentions(card as Node)];
}

function checkNode(node: Node, ids: Set<unknown>): string[] {
  const type = String(node["type"]);
  const properties = known[type]?.split(" ");
  if (properties === undefined) return [`${type} is unknown`];
  const names = new Set(properties.map((name) => name.replace("!", "")));
  const problems = Object.keys(node).filter((name) => !names.has(name));
  for (const name of properties.filter((one) => one.endsWith("!"))) {
    const value = node[name.slice(0, -1)];
    if (value === undefined || value === "") problems.push(`no ${name.slice(0, -1)}`);
  }
  for (const name of ["inlines", "actions", "columns", "rows", "choices"]) {
    const list = node[name];
    if (Array.isArray(list) && list.length === 0) problems.push(`empty ${name}`);
  }
  for (const [name, values] of Object.entries(enums)) {
    const value = node[name];
    if (value !== undefined && !values.some((one) => one === value)) problems.push(name);
  }
  if (Array.isArray(node["actions"]) && node["actions"].length > maxActions)
    problems.push("actions");
  const url = node["url"];
  if (url !== undefined && !(typeof url === "string" && /^https?:/.test(url))) problems.push("url");
  if (type.startsWith("Input.")) {
    if (ids.has(node["id"])) problems.push(`two inputs ${String(node["id"])}`);
    ids.add(node["id"]);
  }
  return problems.map((problem) => `${type}: ${problem}`);
}

/** Each mention of a card needs its text in the card. */
function checkMentions({ msteams, body }: Node): string[] {
  const { entities = [] } = (msteams ?? {}) as { entities?: { text: string }[] };
  const shown = JSON.stringify(body);
  return entities
    .filter(({ text }) => !shown.includes(JSON.stringify(text).slice(1, -1)))
    .map(({ text }) => `${text} is not in the card`);
}

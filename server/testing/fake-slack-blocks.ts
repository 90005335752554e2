import { z } from "zod";

/** The schema and limits of Block Kit, as far as a bot uses it. Slack refuses unknown members too. */
const plain = (most: number) =>
  z.strictObject({
    type: z.literal("plain_text"),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  });
const markup = z.strictObject({ type: z.literal("mrkdwn"), text: z.string().min(1).max(3_000) });
const id = z.string().min(1).max(255);
const url = z.url({ protocol: /^https?$/ }).max(3_000);
const option = z.strictObject({ text: plain(75), value: z.string().min(1).max(150) });

const style = z.strictObject({ bold: z.boolean().optional() }).optional();
const richElement = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().min(1), style }),
  z.strictObject({ type: z.literal("link"), url, text: z.string().min(1).optional(), style }),
  z.strictObject({ type: z.literal("user"), user_id: z.string().regex(/^[UW][A-Z0-9]+$/) }),
]);
const richText = z.strictObject({
  type: z.literal("rich_text"),
  elements: z
    .array(
      z.strictObject({
        type: z.enum(["rich_text_section", "rich_text_preformatted"]),
        elements: z.array(richElement).min(1),
      }),
    )
    .min(1),
});

const button = z
  .strictObject({
    type: z.literal("button"),
    action_id: id,
    text: plain(75),
    style: z.enum(["primary", "danger"]).optional(),
    url: url.optional(),
    value: z.string().max(2_000).optional(),
  })
  .refine((one) => one.url !== undefined || one.value !== undefined);
const actions = z.strictObject({
  type: z.literal("actions"),
  elements: z
    .array(button)
    .min(1)
    .max(25)
    .refine((all) => areUnique(all.map(({ action_id: one }) => one))),
});
const feedbackButton = z.strictObject({
  text: plain(75),
  accessibility_label: z.string().min(1).max(75).optional(),
  value: z.string().min(1).max(2_000),
});
const contextActions = z.strictObject({
  type: z.literal("context_actions"),
  elements: z
    .array(
      z.strictObject({
        type: z.literal("feedback_buttons"),
        action_id: id,
        positive_button: feedbackButton,
        negative_button: feedbackButton,
      }),
    )
    .min(1)
    .max(5),
});
const section = z.strictObject({
  type: z.literal("section"),
  text: z.union([plain(3_000), markup]),
  accessory: button.optional(),
});
const layout = [
  z.strictObject({ type: z.literal("header"), text: plain(150) }),
  z.strictObject({ type: z.literal("divider") }),
  z.strictObject({
    type: z.literal("context"),
    elements: z
      .array(z.union([plain(3_000), markup]))
      .min(1)
      .max(10),
  }),
] as const;
const image = z.strictObject({
  type: z.literal("image"),
  image_url: url,
  alt_text: z.string().min(1).max(2_000),
});
const table = z.strictObject({
  type: z.literal("table"),
  rows: z
    .array(
      z
        .array(z.strictObject({ type: z.literal("raw_text"), text: z.string().min(1) }))
        .min(1)
        .max(20),
    )
    .min(1)
    .max(100)
    .refine((rows) => rows.flat().reduce((sum, { text }) => sum + text.length, 0) <= 10_000),
});
const messageBlocks = z
  .array(
    z.discriminatedUnion("type", [
      actions,
      contextActions,
      image,
      richText,
      section,
      table,
      ...layout,
      z.strictObject({ type: z.literal("markdown"), text: z.string().min(1).max(12_000) }),
    ]),
  )
  .max(50)
  .refine((blocks) => blocks.filter(({ type }) => type === "table").length <= 1);

const action = { action_id: id };
const number = z.string().regex(/^-?\d+(\.\d+)?$/);
const textInput = z
  .strictObject({
    ...action,
    type: z.literal("plain_text_input"),
    multiline: z.boolean().optional(),
    initial_value: z.string().max(3_000).optional(),
    min_length: z.int().min(0).max(3_000).optional(),
    max_length: z.int().min(1).max(3_000).optional(),
  })
  .refine(
    ({ initial_value: initial = "", min_length: least = 0, max_length: most = 3_000 }) =>
      initial === "" || (initial.length >= least && initial.length <= most),
  );
const numberInput = z
  .strictObject({
    ...action,
    type: z.literal("number_input"),
    is_decimal_allowed: z.boolean(),
    initial_value: number.optional(),
    min_value: number.optional(),
    max_value: number.optional(),
  })
  .refine(({ is_decimal_allowed: isDecimal, initial_value: initial, ...bounds }) => {
    const given = initial === undefined ? [] : [initial];
    const limits = [bounds.min_value, bounds.max_value].filter((one) => one !== undefined);
    const least = Number(bounds.min_value ?? -Infinity);
    const most = Number(bounds.max_value ?? Infinity);
    const areWhole = isDecimal || [...given, ...limits].every((one) => !one.includes("."));
    const fits = given.every((one) => Number(one) >= least && Number(one) <= most);
    return areWhole && fits && least <= most;
  });
const isRealDate = (text: string) =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
const element = z.discriminatedUnion("type", [
  textInput,
  numberInput,
  z
    .strictObject({
      ...action,
      type: z.literal("checkboxes"),
      options: z.array(option).min(1).max(10),
      initial_options: z.array(option).min(1).optional(),
    })
    .refine(({ options, initial_options: chosen = [] }) => isSubset(chosen, options)),
  z.strictObject({
    ...action,
    type: z.literal("datepicker"),
    initial_date: z
      .string()
      .regex(/^\d{4}-\d\d-\d\d$/)
      .refine(isRealDate)
      .optional(),
  }),
  z.strictObject({
    ...action,
    type: z.literal("timepicker"),
    initial_time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
      .optional(),
  }),
  z
    .strictObject({
      ...action,
      type: z.literal("static_select"),
      options: z.array(option).min(1).max(100),
      initial_option: option.optional(),
    })
    .refine(({ options, initial_option: one }) => one === undefined || isSubset([one], options)),
  z
    .strictObject({
      ...action,
      type: z.literal("multi_static_select"),
      options: z.array(option).min(1).max(100),
      initial_options: z.array(option).min(1).optional(),
    })
    .refine(({ options, initial_options: chosen = [] }) => isSubset(chosen, options)),
  z.strictObject({
    ...action,
    type: z.literal("file_input"),
    max_files: z.int().min(1).max(10).optional(),
  }),
]);
const input = z.strictObject({
  type: z.literal("input"),
  block_id: id,
  optional: z.boolean().optional(),
  label: plain(2_000),
  hint: plain(2_000).optional(),
  element,
});
const modal = z
  .strictObject({
    type: z.literal("modal"),
    callback_id: id.optional(),
    private_metadata: z.string().max(3_000).optional(),
    title: plain(24),
    submit: plain(24).optional(),
    close: plain(24).optional(),
    blocks: z
      .array(z.discriminatedUnion("type", [section, input, actions, ...layout]))
      .min(1)
      .max(100),
  })
  .refine(({ blocks, submit }) => {
    const inputs = blocks.filter((block) => block.type === "input");
    const hasSubmit = inputs.length === 0 || submit !== undefined;
    return hasSubmit && areUnique(inputs.map(({ block_id: one }) => one));
  });

const home = z
  .strictObject({
    type: z.literal("home"),
    callback_id: id.optional(),
    private_metadata: z.string().max(3_000).optional(),
    blocks: z.array(z.discriminatedUnion("type", [section, actions, ...layout])).max(100),
  })
  .refine(({ blocks }) => areUnique(blocks.flatMap(actionIdsOf)));

function actionIdsOf(block: { type: string }): string[] {
  const { elements = [], accessory } = block as {
    elements?: { action_id?: string }[];
    accessory?: { action_id: string };
  };
  const all = [...elements, ...(accessory === undefined ? [] : [accessory])];
  return all.flatMap(({ action_id: one }) => (one === undefined ? [] : [one]));
}

/** All blocks of a message together, which Slack measures with their JSON. */
const maxMessageCharacters = 13_200;

/** Why Slack would refuse the blocks of a message. */
export function checkMessageBlocks(blocks: unknown): Problem | undefined {
  const parsed = messageBlocks.safeParse(blocks);
  if (!parsed.success) return { error: "invalid_blocks", why: z.prettifyError(parsed.error) };
  const size = textLength(blocks);
  if (size <= maxMessageCharacters) return undefined;
  return { error: "msg_blocks_too_long", why: `${size} characters` };
}

/** Why Slack would refuse a view. */
export function checkView(view: unknown, type: "modal" | "home" = "modal"): Problem | undefined {
  const parsed = (type === "modal" ? modal : home).safeParse(view);
  return parsed.success
    ? undefined
    : { error: "invalid_arguments", why: z.prettifyError(parsed.error) };
}

/** An error that Slack reports, and what tests show with it. */
export type Problem = { error: string; why: string };

function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + textLength(one), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, one]) =>
      sum + (key === "text" && typeof one === "string" ? one.length : textLength(one)),
    0,
  );
}

function areUnique(all: readonly string[]): boolean {
  return new Set(all).size === all.length;
}

function isSubset(some: readonly object[], all: readonly object[]): boolean {
  const known = new Set(all.map((one) => JSON.stringify(one)));
  return some.every((one) => known.has(JSON.stringify(one)));
}

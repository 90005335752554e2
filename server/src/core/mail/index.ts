export type { Mailer } from "./mailer.ts";
export { createMailer } from "./mailer.ts";

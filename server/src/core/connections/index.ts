export { beginAttempt, removeOldAttempts } from "./begin-attempt.ts";
export { comeBack } from "./come-back.ts";
export { noConnection, secretsOf, settingsOf } from "./connection.ts";
export { askAgain, createConnection } from "./create-connection.ts";
export { freshen, freshenAgain, settleConnections } from "./freshen.ts";
export {
  connectAddress,
  cookieSuffixOf,
  goToProvider,
  offerAttempt,
  offerConnection,
} from "./go-to-provider.ts";
export type { Offer } from "./go-to-provider.ts";
export { planRevocation, revokeDeleted } from "./revoke.ts";
export type { Visit } from "./visitor.ts";

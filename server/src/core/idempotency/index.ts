export type { KeptAnswer, KeyedRequest } from "./record.ts";
export type { Receipt } from "./receipt.ts";
export { keyedRequest, KeyTakenError } from "./record.ts";
export { recallAnswer } from "./recall-answer.ts";
export { commitWrite, lostKey, openReceipt, releaseKey, settleKey } from "./receipt.ts";
export { takeKey, takeKeyValues } from "./record-store.ts";

import { createHmac, timingSafeEqual } from "node:crypto";

/** What Mattermost sends back when a button is pressed. It shows this to no client. */
export type PressContext = { questionId: string; choice: string; signature: string };

/** Signs what a button answers: Mattermost does not sign its requests, so only this shows that one is not forged. */
export function signPress(botToken: string, questionId: string, choice: string): PressContext {
  const hmac = createHmac("sha256", botToken).update(JSON.stringify(["press", questionId, choice]));
  return { questionId, choice, signature: hmac.digest("base64url") };
}

export function isSignedPress(botToken: string, given: PressContext): boolean {
  const expected = Buffer.from(signPress(botToken, given.questionId, given.choice).signature);
  const signature = Buffer.from(given.signature);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

import { showToast } from "#components/toasts";
import { forgetInputs } from "#runs/kept-input.ts";
import { messages } from "./messages.ts";

/** Ends the session and redirects to the sign-in page. */
export function signOut(): void {
  fetch("/api/auth/sign-out", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  }).then(
    () => {
      forgetInputs();
      location.assign("/sign-in");
    },
    () => showToast(messages.signOutFailed, "bad"),
  );
}

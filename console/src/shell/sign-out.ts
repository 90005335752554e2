import { showToast } from "#components/toasts";
import { clearInputs } from "#runs/stored-input.ts";
import { messages } from "./messages.ts";

/** Ends the session and redirects to the sign-in page. */
export function signOut(): void {
  fetch("/api/auth/sign-out", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  }).then(
    () => {
      clearInputs();
      location.assign("/sign-in");
    },
    () => showToast(messages.signOutFailed, "bad"),
  );
}

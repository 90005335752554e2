import { showToast } from "#components/toasts";
import { forgetInputs } from "#runs/kept-input.ts";

/** Ends the session of this browser, and leads to the sign-in page. */
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
    () => showToast("The service cannot be reached, so you are still signed in.", "bad"),
  );
}

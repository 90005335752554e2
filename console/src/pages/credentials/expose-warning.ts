/** What it means that code sees a credential's value. */
export const exposeWarning =
  "Code that sees the value can send or show it in ways that the service cannot recognise, such as reversed or encrypted. Only tools of this workspace that ask for it and are approved get it.";

export const attempt = {
  tries: "to take in a file of the service by its path",
  refusedBecause:
    "one file of code is all that a tool is; nothing else of this machine may go into it",
  refused: "not allowed",
};

export default async () => ({ was: (await import("/etc/hostname.json")).default });

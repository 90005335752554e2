/** Exit codes, as docs/connect/command-line.md lists them. */
export const exitCodes = {
  ok: 0,
  /** A run or a test failed, or an error that no other code names. */
  failed: 1,
  /** Unknown command, option or argument, or a project that cannot be read. */
  usage: 2,
  /** Not signed in, or without the permission. */
  notAllowed: 3,
  notFound: 4,
  /** The server has changes that the command would overwrite. */
  conflict: 5,
  /** The service cannot be reached, is overloaded, or limits requests. */
  unavailable: 6,
  /** A credential or an approval is missing. */
  needsApproval: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const attempt = {
  tries: "to write a credential to its output, log, progress and error",
  blockedBecause: "it has only the placeholder",
  ends: { code: "tool_error", message: "^th_" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default (_, { credentials, progress }) => {
  console.log(credentials.KEY, [credentials]);
  progress(0.5, credentials.KEY);
  throw new Error(credentials.KEY);
};

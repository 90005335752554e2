/** Problems of the compiler that a member exists on no type, without and with a similar name. */
const codes = new Set(["2339", "2551"]);

/** The member that the code reads and the input schema does not have; undefined for other problems. */
export function missingMember(code: string, message: string): string | undefined {
  if (!codes.has(code)) return undefined;
  return /^Property '([^']{1,200})' does not exist on type 'Input'/.exec(message)?.[1];
}

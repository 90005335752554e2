/** A secret that a run may use without seeing it. */
export type Secret = {
  name: string;
  /** What the tool sees instead: random and unique to this run. Letters, digits and `_`. */
  placeholder: string;
  value: string;
  /** Lists of hosts. A host receives the value only if every list allows it. */
  hosts: readonly (readonly string[])[];
  /** The tool's code sees the value, so requests to other hosts are searched for it. */
  isExposed?: boolean;
  /** Called when a host responds with 401 or 403 to a request with the value in a header. */
  onRefused?: ((refusal: SecretRefusal) => void) | undefined;
};

/** A response to a request that carried a secret. */
type SecretRefusal = {
  url: string;
  status: 401 | 403;
  /** All values of `WWW-Authenticate`. */
  challenge: string;
};

/** Called before each request, for values that are refreshed while a run is in progress. */
export type SecretSource = () => Promise<readonly Secret[]>;

/** A value to find, and the name under which it is reported. */
export type NamedValue = { name: string; value: string };

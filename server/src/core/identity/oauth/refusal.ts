/** Why an app is not connected. All fields except the code and the status may repeat parts of a hostile request. */
export type Refusal = {
  /** The protocol's code, such as `invalid_client`. */
  error: string;
  description: string;
  status: number;
  /** The authorization request was already answered, or has expired. */
  isOver: boolean;
  /** The client's own name, if the client is known. */
  clientName: string | undefined;
  redirectUri: string | undefined;
  clientId: string | undefined;
};

/** Renders the page for a refusal that must not be sent to a redirect address (RFC 6749, section 4.1.2.1). */
export type ShowRefusal = (refusal: Refusal) => Promise<Response>;

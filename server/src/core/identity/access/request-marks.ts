/** Where the sign-in library finds the client's address. Whatever a client sends under this name is dropped. */
export const clientAddressHeader = "x-toolhost-client";
/** The same for the request's id. */
export const requestIdHeader = "x-toolhost-request";

/** The version of the service, which is that of its package. */
export const version = "0.1.0";

/** A module without a default export. */
export const subject = 'not exported as default';

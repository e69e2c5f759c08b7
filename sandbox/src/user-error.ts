/** A problem that the developer can fix: its message is shown without a stack trace. */
export class UserError extends Error {}

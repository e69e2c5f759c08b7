/** A problem that the user of a command can fix: its message is shown without a stack trace. */
export class UserError extends Error {}

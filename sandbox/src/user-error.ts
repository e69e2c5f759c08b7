/** A problem that whoever runs the command can fix: its message is shown without a stack trace. */
export class UserError extends Error {}

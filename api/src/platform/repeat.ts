/**
 * For how long the same request counts as a repetition of one whose response was lost. Longer than a change of the
 * primary takes, with the time until a person tries again.
 */
export const REPEAT_SECONDS = 120

/**
 * For how long the same request counts as a repetition of one whose response was lost. Longer than a database failover
 * plus the time until a person tries again.
 */
export const REPEAT_SECONDS = 120

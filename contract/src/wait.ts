const MINUTE = 60
const HOUR = 60 * MINUTE

/** A wait as the end of a sentence, rounded up: "in 3 minutes", "in about 2 hours". */
export function waitInWords(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / MINUTE))
  if (minutes < 60) return `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.ceil(seconds / HOUR)
  return `in about ${hours} ${hours === 1 ? 'hour' : 'hours'}`
}

/** Fails with the sentence that is not true, which the report of a counterexample contains. */
export function requireTrue(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(`not true: ${sentence}`)
}

export function requireStatus(
  response: { status: number },
  status: number,
  sentence = 'a valid request is served',
): void {
  requireTrue(response.status === status, `${sentence} (${status}, not ${response.status})`)
}

/** State of the navigation to Home if the intake was submitted elsewhere before the last answers of this tab. */
export const ANSWERS_TOO_LATE = { answersTooLate: true } as const

export const wereAnswersTooLate = (state: unknown): boolean =>
  (state as Partial<typeof ANSWERS_TOO_LATE> | null)?.answersTooLate === true

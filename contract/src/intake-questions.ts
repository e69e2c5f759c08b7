import { ANSWER_NAMES, DEPLOYMENTS, intakeAnswers } from './intake.ts'
import type { AnswerName } from './intake.ts'

type Question = readonly AnswerName[]
type Answers = Readonly<Partial<Record<AnswerName, unknown>>>

const deployments = Object.keys(DEPLOYMENTS) as AnswerName[]

/** The questions as a veteran counts them: the flags of all deployments are one. */
export const QUESTIONS: readonly Question[] = [
  ...ANSWER_NAMES.filter((name) => !deployments.includes(name)).map((name) => [name]),
  deployments,
]

/** Whether the veteran has chosen that there was no deployment at all. */
export const isNeverDeployed = (answers: Answers) =>
  deployments.every((name) => answers[name] === false)

/** An invalid answer does not count. */
export function isAnswered(question: Question, answers: Answers): boolean {
  if (question === deployments) {
    return isNeverDeployed(answers) || deployments.some((name) => answers[name] === true)
  }
  return question.some((name) => {
    const answer = answers[name] ?? null
    return answer !== null && intakeAnswers.shape[name].safeParse(answer).success
  })
}

export function answeredQuestions(answers: Answers, questions = QUESTIONS): number {
  return questions.filter((question) => isAnswered(question, answers)).length
}

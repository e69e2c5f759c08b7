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

/** The answer that there was no deployment at all: false for each place. A place that was only not chosen is empty. */
export const NONE_OF_THESE = 'None of these'
export const DEPLOYMENT_CHOICES = [...Object.values(DEPLOYMENTS), NONE_OF_THESE]

const isNeverDeployed = (answers: Answers) => deployments.every((name) => answers[name] === false)

/** What the veteran has chosen; empty if the question was skipped. */
export function chosenDeployments(answers: Answers): string[] {
  if (isNeverDeployed(answers)) return [NONE_OF_THESE]
  return Object.entries(DEPLOYMENTS)
    .filter(([name]) => answers[name as AnswerName] === true)
    .map(([, place]) => place)
}

/** An invalid answer does not count. */
export function isAnswered(question: Question, answers: Answers): boolean {
  if (question === deployments) return chosenDeployments(answers).length > 0
  return question.some((name) => {
    const answer = answers[name] ?? null
    return answer !== null && intakeAnswers.shape[name].safeParse(answer).success
  })
}

export function answeredQuestions(answers: Answers, questions = QUESTIONS): number {
  return questions.filter((question) => isAnswered(question, answers)).length
}

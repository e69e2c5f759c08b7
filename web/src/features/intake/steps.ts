import { INTAKE_STEPS, type IntakeStep } from '@guidon/contract/intake'
import { answeredQuestions, QUESTIONS } from '@guidon/contract/intake-questions'
import { isValid } from './entries.ts'
import { demographicInfo } from './steps/demographic-info.tsx'
import { financialInfo } from './steps/financial-info.tsx'
import { goal } from './steps/goal.tsx'
import { initialInfo } from './steps/initial-info.tsx'
import { militaryInfo } from './steps/military-info.tsx'
import { personalDetails } from './steps/personal-details.tsx'
import { vaInfo } from './steps/va-info.tsx'
import type { Answers, WizardStep } from './wizard-step.ts'

/** In the order of the wizard. */
export const questionSteps: readonly WizardStep[] = [
  initialInfo,
  goal,
  personalDetails,
  militaryInfo,
  vaInfo,
  financialInfo,
  demographicInfo,
]

export const previewStep = {
  name: 'preview',
  title: 'Preview',
  heading: 'Review Your Information',
} as const satisfies Partial<WizardStep>

export const allSteps: readonly Pick<WizardStep, 'name' | 'title' | 'heading'>[] = [
  ...questionSteps,
  previewStep,
]

export const questionStep = (name: IntakeStep) => questionSteps.find((step) => step.name === name)

/** The step at this distance, limited to the first and the last. */
export function stepAtDistance(name: IntakeStep, distance: number): IntakeStep {
  const index = INTAKE_STEPS.indexOf(name) + distance
  return INTAKE_STEPS[Math.min(Math.max(index, 0), INTAKE_STEPS.length - 1)]!
}

const hasInvalidAnswer = (step: WizardStep, answers: Answers) =>
  step.answers.some((name) => !isValid(name, answers[name] ?? null))

/** The first step with an invalid answer. There can be one, because Back leaves a step without validation. */
export function firstInvalidStep(answers: Answers): WizardStep | undefined {
  return questionSteps.find((step) => hasInvalidAnswer(step, answers))
}

export interface StepProgress {
  answered: number
  total: number
  /** Whether an answer is invalid, and so not saved. */
  invalid: boolean
}

/** Undefined for the Preview, which has no questions. */
export function stepProgress(name: IntakeStep, answers: Answers): StepProgress | undefined {
  const step = questionStep(name)
  if (!step) return undefined
  const questions = QUESTIONS.filter((question) =>
    question.some((each) => step.answers.includes(each)),
  )
  return {
    answered: answeredQuestions(answers, questions),
    total: questions.length,
    invalid: hasInvalidAnswer(step, answers),
  }
}

/** The first step with an unanswered question, after the given step if there is one; else the Preview. */
export function nextUnansweredStep(answers: Answers, after?: IntakeStep): IntakeStep {
  const start = after === undefined ? 0 : INTAKE_STEPS.indexOf(after) + 1
  const isUnanswered = (name: IntakeStep) => {
    const progress = stepProgress(name, answers)
    return progress !== undefined && progress.answered < progress.total
  }
  return INTAKE_STEPS.slice(start).find(isUnanswered) ?? previewStep.name
}

export interface Section {
  heading: string
  steps: readonly WizardStep[]
  rows: readonly (readonly [label: string, text: string])[]
}

const NOT_ANSWERED = 'N/A'

/** The sections of the Preview, with the rows of all their steps. */
export function sectionsOf(answers: Answers): Section[] {
  const headings = [...new Set(questionSteps.map(({ section }) => section))]
  return headings.map((heading) => {
    const steps = questionSteps.filter(({ section }) => section === heading)
    const rows = steps.flatMap((step) => step.preview(answers))
    return { heading, steps, rows: rows.map(([label, text]) => [label, text || NOT_ANSWERED]) }
  })
}

import { intakeAnswers, type AnswerName, type IntakeStep } from '@guidon/contract/intake'
import type { ComponentType } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import { answerOf, type FormValue } from './entries.ts'

export type StepValues = Partial<Record<AnswerName, FormValue>>
export type StepForm = UseFormReturn<StepValues>
export type Answers = Readonly<Partial<Record<AnswerName, unknown>>>

/** One page of questions. A further one is a file in `steps/`, a line in `steps.ts` and its name in the contract. */
export interface WizardStep {
  name: IntakeStep
  /** In the menu and in the browser's tab. */
  title: string
  heading: string
  answers: readonly AnswerName[]
  Fields: ComponentType<{ form: StepForm }>
  /** Steps that name the same section share it. */
  section: string
  /** What the Preview tells of the answers, line by line; an empty text is shown as N/A. */
  preview(answers: Answers): readonly (readonly [label: string, text: string])[]
}

/** What the contract says of a step's answers, for values as they stand in its form. */
export function schemaOf(names: readonly AnswerName[]) {
  const shape = Object.fromEntries(names.map((name) => [name, intakeAnswers.shape[name]]))
  return z.pipe(
    z.transform((values: StepValues) =>
      Object.fromEntries(names.map((name) => [name, answerOf(name, values[name])])),
    ),
    z.object(shape),
  )
}

/** Everything that a field needs of its form. */
export function fieldOf(form: StepForm, name: AnswerName) {
  return { ...form.register(name), error: form.formState.errors[name]?.message }
}

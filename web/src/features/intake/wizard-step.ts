import { intakeAnswers, type AnswerName, type IntakeStep } from '@guidon/contract/intake'
import { zodResolver } from '@hookform/resolvers/zod'
import type { ComponentType, FocusEvent } from 'react'
import type { Resolver, UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import { afterPress } from './after-press.ts'
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

export const answersIn = (names: readonly AnswerName[], values: StepValues) =>
  Object.fromEntries(names.map((name) => [name, answerOf(name, values[name])]))

/** Judges a step's form by what the contract says of its answers. */
export function resolverOf(names: readonly AnswerName[]): Resolver<StepValues> {
  const shape = Object.fromEntries(names.map((name) => [name, intakeAnswers.shape[name]]))
  const judge = zodResolver(z.object(shape)) as unknown as Resolver<StepValues>
  return (values, context, options) => judge(answersIn(names, values), context, options)
}

/** Everything that a field needs of its form. */
export function fieldOf(form: StepForm, name: AnswerName) {
  const { onBlur, ...input } = form.register(name)
  return {
    ...input,
    onBlur: (event: FocusEvent) => afterPress(() => void onBlur(event)),
    error: form.formState.errors[name]?.message,
  }
}

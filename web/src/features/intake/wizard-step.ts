import { intakeAnswers, type AnswerName, type IntakeStep } from '@guidon/contract/intake'
import { zodResolver } from '@hookform/resolvers/zod'
import type { ComponentType, FocusEvent } from 'react'
import type { Resolver, UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import { afterPointerUp } from './after-pointer-up.ts'
import { answerOf, type FormValue } from './entries.ts'

export type StepValues = Partial<Record<AnswerName, FormValue>>
export type StepForm = UseFormReturn<StepValues>
export type Answers = Readonly<Partial<Record<AnswerName, unknown>>>

/** One page of questions. To add one: a file in `steps/`, a line in `steps.ts` and its name in the contract. */
export interface WizardStep {
  name: IntakeStep
  /** Shown in the menu and in the browser's tab. */
  title: string
  heading: string
  answers: readonly AnswerName[]
  Fields: ComponentType<{ form: StepForm }>
  /** Heading in the Preview; steps with the same heading share a section. */
  section: string
  /** The rows of the Preview; an empty text is shown as N/A. */
  preview(answers: Answers): readonly (readonly [label: string, text: string])[]
}

export const answersOfForm = (names: readonly AnswerName[], values: StepValues) =>
  Object.fromEntries(names.map((name) => [name, answerOf(name, values[name])]))

/** Validates a step's form by the contract. */
export function stepResolver(names: readonly AnswerName[]): Resolver<StepValues> {
  const shape = Object.fromEntries(names.map((name) => [name, intakeAnswers.shape[name]]))
  const validate = zodResolver(z.object(shape)) as unknown as Resolver<StepValues>
  return (values, context, options) => validate(answersOfForm(names, values), context, options)
}

/** The props of a field. */
export function fieldProps(form: StepForm, name: AnswerName) {
  const { onBlur, ...input } = form.register(name)
  return {
    ...input,
    // After the pointer is released: a validation message would move the button that is being clicked.
    onBlur: (event: FocusEvent) => afterPointerUp(() => void onBlur(event)),
    error: form.formState.errors[name]?.message,
  }
}

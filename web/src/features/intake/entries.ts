import { DEPLOYMENTS, intakeAnswers, type AnswerName } from '@guidon/contract/intake'
import { STATES } from '@guidon/contract/states'
import { completeParts, partsOf, dateAnswer } from './date-parts.ts'

/** A value in a form: a typed text, the text of a choice, or a checkbox. */
export type FormValue = string | boolean

const NUMBERS: ReadonlySet<string> = new Set<AnswerName>(['vaDisabilityPay', 'dependents'])
const YES_OR_NO: ReadonlySet<string> = new Set<AnswerName>(['retired', 'nine11'])

/** Converts a form's value to an answer, valid or not. */
export function answerOf(name: AnswerName, value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  if (NUMBERS.has(name)) return toNumber(text)
  if (name === 'state') return STATES.find((state) => state.name === text)?.code ?? text
  if (YES_OR_NO.has(name) && (text === 'Yes' || text === 'No')) return text === 'Yes'
  return text
}

/** A text that is not a number stays a text, so that it is kept and shown as invalid. */
function toNumber(text: string): number | string {
  const digits = text.replace(/^\$\s*/, '').replaceAll(',', '')
  return /^-?\d*\.?\d+$|^-?\d+\.$/.test(digits) ? Number(digits) : text
}

export function isValid(name: AnswerName, answer: unknown): boolean {
  return intakeAnswers.shape[name].safeParse(answer).success
}

/** Converts an answer to the text of its field; a state is shown by its name. */
export function fieldText(name: AnswerName, answer: unknown): string {
  if (typeof answer === 'boolean') return YES_OR_NO.has(name) ? yesNo(answer) : ''
  if (typeof answer === 'number') return String(answer)
  if (typeof answer !== 'string') return ''
  return STATES.find(({ code }) => name === 'state' && code === answer)?.name ?? answer
}

/** Converts an answer to the initial value of its field. */
export function formValue(name: AnswerName, answer: unknown): FormValue {
  if (name === 'dateOfBirth') return dateAnswer(completeParts(partsOf(answer)))
  // An unanswered deployment is '' and not false, which means No.
  if (name in DEPLOYMENTS) return typeof answer === 'boolean' ? answer : ''
  return fieldText(name, answer)
}

function yesNo(answer: boolean): 'Yes' | 'No' {
  return answer ? 'Yes' : 'No'
}

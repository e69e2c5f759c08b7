import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  CITY_MAX,
  DATE_OF_BIRTH_MIN,
  DEPENDENTS_MAX,
  EDIT_HISTORY_MAX,
  SAVE_FAILURES_MAX,
  STREET_MAX,
  VA_DISABILITY_PAY_MAX,
} from './limits.ts'
import type { Refusal } from './refusal.ts'
import { STATES } from './states.ts'
import { identifier, text } from './text.ts'

/** The answers of the intake, named as in the specification. */

export const CONTACT_TIMES = ['Morning', 'Afternoon', 'Evening'] as const
export const CLAIM_TYPES = ['New Claim Never Filed', 'New Claim Previously Filed'] as const
export const GENDERS = ['Male', 'Female'] as const
export const ARMS = ['Right', 'Left'] as const
export const BRANCHES = [
  'Army',
  'Navy',
  'Marine Corps',
  'Air Force',
  'Space Force',
  'Coast Guard',
  'National Guard',
] as const
export const YES_NO = ['Yes', 'No'] as const
export const DISABILITY_RATINGS = [
  'Not Service Connected',
  '0%',
  '10%',
  '20%',
  '30%',
  '40%',
  '50%',
  '60%',
  '70%',
  '80%',
  '90%',
  '100%',
] as const
export const ETHNICITIES = [
  'Hispanic or Latino or Spanish Origin',
  'Not Hispanic or Latino or Spanish Origin',
  'Other Race',
] as const
export const RACES = [
  'American Indian or Alaska Native',
  'Asian',
  'Black or African American',
  'Native Hawaiian or Other Pacific Islander',
  'White',
  'Other Race',
] as const
/** Each is a separate flag; `chosenDeployments` is the answer to the question. */
export const DEPLOYMENTS = {
  afghan: 'Afghanistan',
  djibouti: 'Djibouti',
  gulf: 'Gulf War',
  syria: 'Syria',
  uzbekistan: 'Uzbekistan',
  nam: 'Vietnam',
} as const

const STATE_CODES = STATES.map(({ code }) => code)

export const DATE_OUT_OF_RANGE = 'Date must be between the minimum and maximum dates'

const DATE_LENGTH = 'yyyy-mm-dd'.length
const WRONG_ZIP = 'Enter a valid ZIP code'
const WRONG_PAY = 'Enter an amount in dollars, such as 1716.28'
const ZIP_MAX = '12345-6789'.length

const today = () => new Date().toISOString().slice(0, 10)

const isRealDate = (date: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) &&
  !Number.isNaN(Date.parse(date)) &&
  new Date(date).toISOString().startsWith(date)

export const dateOfBirth = text({ max: DATE_LENGTH, invalid: DATE_OUT_OF_RANGE }).check(
  z.refine(
    (date) => isRealDate(date) && date >= DATE_OF_BIRTH_MIN && date <= today(),
    DATE_OUT_OF_RANGE,
  ),
)

/** Every answer is optional; null clears it. */
const answer = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

export const intakeAnswers = z.object({
  street: answer(text({ max: STREET_MAX })),
  city: answer(text({ max: CITY_MAX })),
  state: answer(z.enum(STATE_CODES)),
  zip: answer(
    text({ max: ZIP_MAX, invalid: WRONG_ZIP }).check(z.regex(/^\d{5}(-\d{4})?$/, WRONG_ZIP)),
  ),
  /** Preferred time of contact. */
  ToC: answer(z.enum(CONTACT_TIMES)),
  claimType: answer(z.enum(CLAIM_TYPES)),
  gender: answer(z.enum(GENDERS)),
  dominantArm: answer(z.enum(ARMS)),
  dateOfBirth: answer(dateOfBirth),
  branch: answer(z.enum(BRANCHES)),
  afghan: answer(z.boolean()),
  djibouti: answer(z.boolean()),
  gulf: answer(z.boolean()),
  syria: answer(z.boolean()),
  uzbekistan: answer(z.boolean()),
  nam: answer(z.boolean()),
  retired: answer(z.boolean()),
  /** Served in combat after 9/11. */
  nine11: answer(z.boolean()),
  disabilityRating: answer(z.enum(DISABILITY_RATINGS)),
  activeClaim: answer(z.enum(YES_NO)),
  activeAppeal: answer(z.enum(YES_NO)),
  vaDisabilityPay: answer(
    z.number(WRONG_PAY).check(
      z.refine((dollars) => Number(dollars.toFixed(2)) === dollars, WRONG_PAY),
      z.minimum(0, 'VA disability pay must be at least 0'),
      z.maximum(VA_DISABILITY_PAY_MAX, 'Enter a smaller amount'),
    ),
  ),
  dependents: answer(
    z
      .int('Dependents must be a whole number')
      .check(
        z.minimum(0, `Dependents must be from 0 to ${DEPENDENTS_MAX}`),
        z.maximum(DEPENDENTS_MAX, `Dependents must be from 0 to ${DEPENDENTS_MAX}`),
      ),
  ),
  ethnicity: answer(z.enum(ETHNICITIES)),
  race: answer(z.enum(RACES)),
})
export type IntakeAnswers = z.infer<typeof intakeAnswers>
export type AnswerName = keyof IntakeAnswers
export const ANSWER_NAMES = Object.keys(intakeAnswers.shape) as AnswerName[]

/** In the order of the wizard. */
export const INTAKE_STEPS = [
  'initialInfo',
  'goal',
  'personalDetails',
  'militaryInfo',
  'vaInfo',
  'financialInfo',
  'demographicInfo',
  'preview',
] as const
export type IntakeStep = (typeof INTAKE_STEPS)[number]

export type EntryName = AnswerName | 'step'
/** One optional value per entry. Not `z.record`, whose code would make the first page load larger. */
const perEntry = <S extends z.ZodMiniType>(schema: S) => {
  const names: EntryName[] = [...ANSWER_NAMES, 'step']
  const shape = Object.fromEntries(names.map((name) => [name, z.optional(schema)]))
  return z.object(shape as Record<EntryName, z.ZodMiniOptional<S>>)
}

const EDIT_ID_MAX = 24
const editId = identifier(EDIT_ID_MAX, /^[a-z0-9:]+$/)
/**
 * The last change of each entry: a random id, and in `over` the ids of earlier changes that its author had seen or sent.
 * These order two changes without relying on a clock.
 */
export const edits = perEntry(
  z.object({ id: editId, over: z.array(editId).check(z.maxLength(EDIT_HISTORY_MAX)) }),
)
export type Edits = z.infer<typeof edits>

const LATEST_DATE = 8_640_000_000_000_000
/** Pages of an older release send the time of each edit instead, in milliseconds of the device's clock. */
export const editTimes = perEntry(z.int().check(z.minimum(0), z.maximum(LATEST_DATE)))
export type EditTimes = z.infer<typeof editTimes>

const time = z.nullable(z.string())

export const getIntake = endpoint({
  method: 'GET',
  path: '/salesforce/get-started/me',
  session: 'required',
  roles: ['USER'],
  response: z.object({
    data: intakeAnswers,
    step: z.enum(INTAKE_STEPS),
    edits: z.optional(edits),
    /** For pages of an older release. */
    editedAt: editTimes,
    savedAt: time,
    submittedAt: time,
    /** Whether the account is linked to a contact of the CRM. */
    linkedToExistingAccount: z.boolean(),
    /** Of the format of the answers. */
    version: z.int(),
  }),
  failure: 'Failed to load your intake. Please try again later.',
})
export type Intake = z.infer<typeof getIntake.response>

const failureCount = z.optional(z.int().check(z.minimum(1), z.maximum(SAVE_FAILURES_MAX)))
/** Why saves failed in the browser: how often for each reason, and how many of them were submits. */
export const saveFailures = z.object({
  no_network: failureCount,
  timed_out: failureCount,
  server_error: failureCount,
  submits: failureCount,
})
export type SaveFailures = z.infer<typeof saveFailures>

/** Any part of the answers. An answer without its edit counts as entered on arrival. */
export const intakeSave = z.extend(intakeAnswers, {
  step: z.optional(z.enum(INTAKE_STEPS)),
  edits: z.optional(edits),
  editedAt: z.optional(editTimes),
  submit: z.optional(z.literal(true)),
  /** The failures since the last save that arrived, for the log. Counts only, never answers. */
  failures: z.optional(saveFailures),
})
export type IntakeSave = z.infer<typeof intakeSave>

export const saveIntake = endpoint({
  method: 'PATCH',
  path: '/salesforce/get-started/me',
  session: 'required',
  roles: ['USER'],
  body: intakeSave,
  response: z.object({ savedAt: z.string(), submittedAt: time }),
  failure: 'Failed to submit get started form.',
})
export type SavedIntake = z.infer<typeof saveIntake.response>

/** A submitted intake cannot change; repeating the same submission succeeds. */
export const intakeSubmitted: Refusal = {
  status: 409,
  code: 'intake_submitted',
  message: 'Your intake was already sent. Please call us if an answer has to change.',
}

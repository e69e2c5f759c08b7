import {
  ARMS,
  BRANCHES,
  CLAIM_TYPES,
  CONTACT_TIMES,
  DEPLOYMENTS,
  DISABILITY_RATINGS,
  ETHNICITIES,
  GENDERS,
  RACES,
  saveIntake,
  YES_NO,
} from '@guidon/contract/intake'
import { getUserInfo } from '@guidon/contract/profile'
import { STATES } from '@guidon/contract/states'
import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { boot, NEWCOMER } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { newOrg } from '../../support/org.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

/**
 * Veterans sign up, answer any of the questions in any order, take some answers back, and submit. Some responses of the CRM
 * are lost. Then the CRM has exactly what was said: an empty field for each question without an answer.
 */

const INTAKES = smallOrFull(60, 2_000)
const CONCURRENT = 6
const SEED = 33
vi.setConfig({ testTimeout: smallOrFull(600_000, 3_600_000) })

const org = await newOrg()
const testApp = await boot({ environment: { ...org.environment, CRM_POLL_SECONDS: '2' } })

/** The answers to one question as the portal gets them, and the fields of the intake in the CRM. */
interface Said {
  answers: Record<string, unknown>
  crm: Record<string, unknown>
}

const one = <T>(
  name: string,
  field: string,
  value: fc.Arbitrary<T>,
  inCrm = (said: T): unknown => said,
) => value.map((said): Said => ({ answers: { [name]: said }, crm: { [field]: inCrm(said) } }))

const CHARACTERS = [
  'a',
  'Z',
  '0',
  'é',
  'ñ',
  '漢',
  'ß',
  '🎖',
  ';',
  ' ',
  '"',
  "'",
  '<',
  '&',
  '>',
  '%',
  '_',
  '\\',
]
/** Any characters that the portal accepts, in the form in which it keeps them. */
const line = (max: number) =>
  fc
    .string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: max })
    .map((text) => text.trim().normalize().slice(0, max))
    .filter((text) => text !== '' && text.isWellFormed())
const yesNo = (said: boolean) => (said ? 'Yes' : 'No')

const places = Object.entries(DEPLOYMENTS)
/** A place that is not chosen is false or missing; only false for all of them is an answer. */
const deployments = fc.oneof(
  fc.constant<Said>({
    answers: Object.fromEntries(places.map(([name]) => [name, false])),
    crm: { Deployments__c: 'None of these' },
  }),
  fc
    .tuple(fc.subarray(places, { minLength: 1 }), fc.constantFrom(false, null, undefined))
    .map(([chosen, otherwise]): Said => {
      const answers = places.map((place) => [place[0], chosen.includes(place) || otherwise])
      return {
        answers: Object.fromEntries(answers.filter(([, answer]) => answer !== undefined)),
        crm: { Deployments__c: chosen.map(([, place]) => place).join(';') },
      }
    }),
)

const QUESTIONS: readonly fc.Arbitrary<Said>[] = [
  one('street', 'Street__c', line(255)),
  one('city', 'City__c', line(40)),
  one('state', 'State__c', fc.constantFrom(...STATES.map(({ code }) => code))),
  one('zip', 'Zip__c', fc.constantFrom('00501', '92101', '92101-1234')),
  one('ToC', 'Preferred_Contact_Time__c', fc.constantFrom(...CONTACT_TIMES)),
  one('claimType', 'Claim_Type__c', fc.constantFrom(...CLAIM_TYPES)),
  one('gender', 'Gender__c', fc.constantFrom(...GENDERS)),
  one('dominantArm', 'Dominant_Arm__c', fc.constantFrom(...ARMS)),
  one('dateOfBirth', 'Date_Of_Birth__c', fc.constantFrom('1925-01-01', '1980-02-29', '2001-12-31')),
  one('branch', 'Branch__c', fc.constantFrom(...BRANCHES)),
  deployments,
  one('retired', 'Retired__c', fc.boolean(), yesNo),
  one('nine11', 'Served_In_Combat_After_9_11__c', fc.boolean(), yesNo),
  one('disabilityRating', 'Disability_Rating__c', fc.constantFrom(...DISABILITY_RATINGS)),
  one('activeClaim', 'Active_Claim__c', fc.constantFrom(...YES_NO)),
  one('activeAppeal', 'Active_Appeal__c', fc.constantFrom(...YES_NO)),
  one('vaDisabilityPay', 'VA_Disability_Pay__c', fc.constantFrom(0, 0.01, 1716.28, 999_999)),
  one('dependents', 'Dependents__c', fc.integer({ min: 0, max: 10 })),
  one('ethnicity', 'Ethnicity__c', fc.constantFrom(...ETHNICITIES)),
  one('race', 'Race__c', fc.constantFrom(...RACES)),
]

/** `skipped`: never entered. `takenBack`: entered, saved, and cleared again. */
const fate = fc.constantFrom('skipped', 'takenBack', 'answered', 'answered')
const intake = fc.record({
  questions: fc.tuple(...QUESTIONS.map((said) => fc.tuple(said, fate))),
  order: fc.infiniteStream(fc.integer({ min: 0, max: 1_000 })),
})
const samples = fc.sample(intake, { numRuns: INTAKES, seed: SEED })

const cleared = (answers: Said['answers']) =>
  Object.fromEntries(Object.keys(answers).map((name) => [name, null]))

const counts = { answered: 0, unanswered: 0, 'not empty': 0, 'not equal': 0, 'wrong addresses': 0 }
const wrong: string[] = []

/** The fields of the row that no answer has set. */
const OWN = new Set(['Veteran__c', 'Portal_Intake_Id__c', 'Submitted_At__c'])

function compare(number: number, row: Record<string, unknown>, expected: Said['crm']): void {
  const fields = new Set([...Object.keys(row), ...Object.keys(expected)])
  for (const field of fields) {
    if (!field.endsWith('__c') || OWN.has(field)) continue
    const [found, said] = [row[field] ?? null, expected[field] ?? null]
    counts[said === null ? 'unanswered' : 'answered'] += 1
    if (found === said) continue
    counts[said === null ? 'not empty' : 'not equal'] += 1
    wrong.push(
      `intake ${number}: ${field} is ${JSON.stringify(found)}, said ${JSON.stringify(said)}`,
    )
  }
}

async function run(number: number): Promise<void> {
  const { questions, order } = samples[number]!
  const { client, userId } = await testApp.signedUp()
  await org.rows('Contact', { Portal_User_Id__c: userId })
  const answered = questions.filter(([, of]) => of === 'answered').map(([said]) => said)
  const takenBack = questions.filter(([, of]) => of === 'takenBack').map(([said]) => said.answers)
  const saves = [...answered.map(({ answers }) => answers), ...takenBack]
  const shuffled = saves
    .map((answers) => ({ answers, at: order.next().value as number }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ answers }) => answers)
  // A save has some of the answers, as the steps of the wizard do.
  const bodies: object[] = []
  for (let from = 0; from < shuffled.length; from += 4) {
    bodies.push(Object.assign({}, ...shuffled.slice(from, from + 4)) as object)
  }
  bodies.push(Object.assign({}, ...takenBack.map(cleared)) as object, { submit: true })
  if (number % 10 === 0) await org.fault({ mode: 'lost', times: 1 })
  for (const body of bodies) {
    const { status } = await client.call(saveIntake, { body })
    expect(status).toBe(200)
  }

  const said = Object.assign({}, ...answered.map(({ answers }) => answers)) as Said['answers']
  const state = STATES.find(({ code }) => code === said['state'])?.name ?? NEWCOMER.state
  const address = {
    street: said['street'] ?? null,
    city: said['city'] ?? null,
    state,
    zip: said['zip'] ?? null,
  }
  const { body: shown } = await client.call(getUserInfo, {})
  const { rows } = await testApp.sql.query<{ id: string }>(
    'select id from intakes where user_id = $1',
    [userId],
  )
  const [row] = await org.rows('Intake__c', { Portal_Intake_Id__c: rows[0]!.id })
  compare(number, row!, Object.assign({}, ...answered.map(({ crm }) => crm)) as Said['crm'])
  const [contact] = await org.rows<Record<string, string | null>>('Contact', {
    Portal_User_Id__c: userId,
  })
  const inCrm = {
    street: contact!['MailingStreet'],
    city: contact!['MailingCity'],
    state: contact!['MailingState'],
    zip: contact!['MailingPostalCode'],
  }
  const { body: later } = await client.call(getUserInfo, {})
  for (const found of [inCrm, shown, later]) {
    const isEqual = Object.entries(address).every(
      ([part, text]) => found[part as keyof typeof address] === text,
    )
    if (isEqual) continue
    counts['wrong addresses'] += 1
    wrong.push(`intake ${number}: ${JSON.stringify(inCrm)}, said ${JSON.stringify(address)}`)
  }
}

it('the CRM has exactly what was said in the intakes', async () => {
  await limitedConcurrency(INTAKES, run, CONCURRENT)
  figures('intakes', { intakes: INTAKES, ...counts })
  headline.sum({
    intakes: INTAKES,
    'unanswered and not empty': counts['not empty'],
    'answered and not equal': counts['not equal'],
    'wrong addresses': counts['wrong addresses'],
  })
  if (wrong.length > 0) figures('wrong', { examples: wrong.slice(0, 12).join('\n') })
  expect(wrong).toEqual([])
})

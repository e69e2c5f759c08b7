import {
  linkImpossible,
  type Comparison,
  type LinkDetails,
  type LinkQuestion,
  type LinkToConfirm,
  type Sides,
} from '@guidon/contract/links'
import { phoneText } from '../../../ui/phone.ts'

export const NO_LINKS = 'No links to confirm.'

/** Why staff are asked. */
export const WHY: Readonly<Record<LinkQuestion, string>> = {
  differs: 'The email differs, or both the last name and the phone do.',
  severalMatch: 'Several contacts in Salesforce match this account.',
  hadOtherAccount: 'Another account had this contact before.',
  otherContact: 'Our staff ended the same link before.',
  merged: 'Another contact was merged into the contact of this account.',
  moved: 'Records of another contact were moved to the contact of this account.',
  contactGone:
    'The contact of this account was deleted in Salesforce, or merged into one that the account may not have.',
  notMe: 'The owner of the account pressed “This was not me” in an email about this contact.',
  ruleChanged: 'The nightly check would not make this link by itself any more.',
}

const SEES_ALL = 'The account keeps this contact and sees all of its records.'
const KEEPS = 'The account keeps this contact.'

/** What a yes does, by the questions about a contact that the account has. */
const YES_KEEPS: Readonly<Partial<Record<LinkQuestion, string>>> = {
  merged: SEES_ALL,
  moved: SEES_ALL,
  ruleChanged: KEEPS,
  contactGone: KEEPS,
  notMe: 'The account sees this contact’s records again.',
}

/** Whether the account has the contact already. Otherwise it gets it with a yes. */
const hasContact = ({ question }: Pick<LinkDetails, 'question'>): boolean =>
  question !== null && question in YES_KEEPS

/** The contact, and why staff are asked, in the list. */
export function listedText({ contactName, question }: LinkToConfirm): string {
  if (contactName !== null) return `Contact: ${contactName}. ${WHY[question]}`
  return question === 'contactGone'
    ? `${CONTACT_DELETED}, or merged into one that the account may not have.`
    : `${CONTACT_DELETED}. ${WHY[question]}`
}
const CONTACT_DELETED = 'Contact is deleted in Salesforce'

/** Its own contact was merged into this one. */
const cameByMerge = (link: LinkDetails): boolean => link.fromContactId !== null && !hasContact(link)

/** What happened, on the page of a link. */
export function whatHappened(link: LinkDetails): string {
  const why = link.question ? WHY[link.question] : ''
  if (!cameByMerge(link)) return why
  const merge = 'Two contacts were merged in Salesforce. The account belonged to one of them.'
  const left =
    link.question === 'differs'
      ? 'The one that is left has another email, or another last name and phone.'
      : why
  return `${merge} ${left}`
}

const NOTHING_NEW =
  'Until you decide, the account keeps what it has and sees nothing new of this contact.'

const UNTIL_DECIDED: Readonly<Partial<Record<LinkQuestion, string>>> = {
  notMe: 'Until you decide, the account sees nothing of this contact.',
  ruleChanged: 'Until you decide, the account sees this contact’s records as before.',
  contactGone:
    'What the owner of the account sends waits in the portal until the account has another contact.',
}

/** What the account sees until somebody decides. */
export const untilDecided = ({ question }: LinkDetails): string =>
  (question && UNTIL_DECIDED[question]) ?? NOTHING_NEW

export function heldText(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 1
    ? '1 record waits for your decision.'
    : `${count} records wait for your decision.`
}

export type Choice = 'confirm' | 'refuse' | 'later'
export interface ChoiceWords {
  choice: Choice
  label: string
  /** What it does. */
  text: string
}

const EMAIL_SENT = 'Its owner gets an email about it.'

/** What staff can choose, in the order of the screen. */
export function choicesOf(link: LinkDetails): ChoiceWords[] {
  const canConfirm = link.contact !== null && link.obstacle === null
  return [...(canConfirm ? [yesOf(link)] : []), noOf(link, canConfirm), laterOf(link)]
}

const SHOWS = 'The account sees this contact’s appointments, documents and claims.'

function yesOf(link: LinkDetails): ChoiceWords {
  const keeps = link.question && YES_KEEPS[link.question]
  return {
    choice: 'confirm',
    label: keeps ? 'Yes, the same person' : 'Yes, link them',
    text: link.question === 'ruleChanged' ? KEEPS : `${keeps ?? SHOWS} ${EMAIL_SENT}`,
  }
}

const NEW_CONTACT = 'a new, empty contact of its own'

function noOf(link: LinkDetails, canConfirm: boolean): ChoiceWords {
  const choice = 'refuse'
  if (link.question === 'contactGone') {
    const text = `The account gets ${NEW_CONTACT}, and what waits is sent there. ${EMAIL_SENT}`
    return { choice, label: 'No contact fits', text }
  }
  const different = canConfirm && 'No, different people'
  if (hasContact(link)) {
    const text = `The account loses this contact and gets ${NEW_CONTACT}. ${EMAIL_SENT}`
    return { choice, label: different || 'No, take the contact away', text }
  }
  const next =
    cameByMerge(link) && link.account.contactId === link.fromContactId
      ? `Its own was merged, so it gets ${NEW_CONTACT}.`
      : 'Next, look for the right one.'
  const text = `The account stays without this contact. ${next}`
  return { choice, label: different || 'No, do not link them', text }
}

/** The number is always the contact's: a stranger brings a phone number of their own. */
function laterOf({ contact }: LinkDetails): ChoiceWords {
  const call = contact?.phone
    ? `Call the number of the contact first: ${phoneText(contact.phone).replace(' ', '\u00a0')}.`
    : 'The contact has no phone number. Look for one in Salesforce first.'
  return {
    choice: 'later',
    label: 'I cannot tell yet',
    text: `${contact ? call : 'Find out more first.'} This stays on the list.`,
  }
}

export const obstacleText = ({ obstacle }: Pick<Sides, 'obstacle'>): string | undefined =>
  obstacle === null ? undefined : linkImpossible(obstacle).message

/** `missing`: at least one side has none, which is not the same for the rule, but contradicts nothing. */
export type Outcome = 'same' | 'different' | 'missing'

export function outcomeOf({ account, contact, same }: Comparison): Outcome {
  if (same) return 'same'
  return account && contact ? 'different' : 'missing'
}

/** `3 the same, 2 different, 1 missing` */
export function countsText(compared: readonly Comparison[]): string {
  const outcomes = compared.map(outcomeOf)
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length
  const missing = count('missing')
  const counts = [`${count('same')} the same`, `${count('different')} different`]
  return [...counts, ...(missing ? [`${missing} missing`] : [])].join(', ')
}

export function otherAccountText(other: NonNullable<Sides['otherAccount']>): string {
  const { name, email, now } = other
  return now ? `Belongs to ${name} (${email})` : `Belonged to ${name} (${email}) before`
}

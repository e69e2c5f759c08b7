import type { Stage } from '@guidon/contract/stages'
import { emailLayout, paragraph, smallLink, strong } from '../../mail/layout.ts'
import type { MailBrand } from '../../mail/layout.ts'
import type { EmailMessage } from '../../mail/port.ts'
import type { NoticeEvent } from './decide.ts'
import type { NoticeRow } from './sending.sql.ts'

/** What a notice is about. Never a name of a document, clinic or claim: others may see the email. */
type Item = Pick<NoticeRow, 'event' | 'date' | 'time' | 'stage'>

export interface MessageParts {
  brand: MailBrand
  stages: readonly Stage[]
  portal: string
  /** To the preferences; also for the one-click unsubscribe of mail programs. */
  link: string
}

interface Words {
  title: string
  text: string
}

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' })
const timeFormat = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' })

const dateText = (date: string) => dateFormat.format(new Date(`${date}T00:00Z`))
/** Appointments have the local time of their place. */
const whenText = ({ date, time }: Item) =>
  `${dateText(date!)} at ${timeFormat.format(new Date(`${date}T${time}Z`))} (local time at the place of the appointment)`

const documents = (count: number) => (count === 1 ? 'a document' : `${count} documents`)
const documentsAre = (count: number) => (count === 1 ? 'A document is' : `${count} documents are`)
const it = (count: number) => (count === 1 ? 'it' : 'them')
const neededText = ({ date }: Item, count: number) =>
  `${date ? `We need ${it(count)} by ${dateText(date)}. ` : ''}Your claim can move forward when we have ${it(count)}.`

type Write = (item: Item, count: number, stages: readonly Stage[]) => Words

/** The same notice about several documents is written once, with their number. */
const WORDS: Readonly<Record<NoticeEvent, Write>> = {
  documentRequested: (item, count) => ({
    title: `We need ${documents(count)} from you`,
    text: neededText(item, count),
  }),
  documentDueIn7Days: (item, count) => ({
    title: `${documentsAre(count)} due in 7 days`,
    text: neededText(item, count),
  }),
  documentDueIn2Days: (item, count) => ({
    title: `${documentsAre(count)} due in 2 days`,
    text: neededText(item, count),
  }),
  documentOverdue: ({ date }, count) => ({
    title: `We are still waiting for ${documents(count)}`,
    text: `We needed ${it(count)} by ${dateText(date!)}. Please send ${it(count)} as soon as you can, or call us if you cannot get ${it(count)}.`,
  }),
  documentReviewed: (_, count) => ({
    title: `We reviewed ${documents(count)} that you sent`,
    text: 'You do not need to do anything.',
  }),
  documentNotUsable: (_, count) => ({
    title: `We cannot use ${documents(count)} that you sent`,
    text: `Please send ${count === 1 ? 'a new copy' : 'new copies'}. The portal says why.`,
  }),
  appointmentSet: (item) => ({
    title: 'You have a new appointment',
    text: `It is on ${whenText(item)}. The portal says where.`,
  }),
  appointmentMoved: (item) => ({
    title: 'Your appointment was moved',
    text: `It is now on ${whenText(item)}.`,
  }),
  appointmentCancelled: (item) => ({
    title: 'Your appointment was cancelled',
    text: `You do not need to go on ${whenText(item)}.`,
  }),
  appointmentIn7Days: (item) => ({
    title: 'Your appointment is in 7 days',
    text: `It is on ${whenText(item)}. Call us if you cannot go.`,
  }),
  appointmentTomorrow: (item) => ({
    title: 'Your appointment is tomorrow',
    text: `It is on ${whenText(item)}. Call us if you cannot go.`,
  }),
  // Also for a step back.
  claimStep: ({ stage }, _, stages) => {
    // Only the provider's own label: a value of the CRM could say more.
    const label = stages.find(({ key }) => key === stage)?.label
    return {
      title: 'Your claim is in another step now',
      text: label ? `It is in this step: ${label}.` : 'The portal says which.',
    }
  },
  caseManager: () => ({
    title: 'You have a new case manager',
    text: 'Your case manager can tell you more about your claim. The portal says how to reach them.',
  }),
  intakeDay3: () => INTAKE,
  intakeDay6: () => INTAKE,
}

const INTAKE = {
  title: 'Please finish your intake',
  text: 'We can start on your claim when you have sent it. Your answers so far are saved.',
}

/** Appointments first: missing one is worse than any delay. */
const isFirst = ({ event }: Item) => event.startsWith('appointment')
/** The words of these do not contain the date. */
const WITHOUT_DATE = new Set<NoticeEvent>(['documentReviewed', 'documentNotUsable'])
/** More than this is not read in an email. */
const ITEMS_MAX = 20

const updates = (count: number) => (count === 1 ? '1 other update' : `${count} other updates`)

/** One email with everything that is due for a person. */
export async function noticesMessage(
  { brand, stages, portal, link }: MessageParts,
  notices: readonly Item[],
): Promise<EmailMessage> {
  const sorted = notices.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
  const groups = Map.groupBy(sorted, ({ event, date, time, stage }) =>
    [event, WITHOUT_DATE.has(event) || date, time, stage].join(),
  )
  const words = [...groups.values()].map((same) =>
    WORDS[same[0]!.event](same[0]!, same.length, stages),
  )
  // Two events may have the same words.
  const all = [...new Map(words.map((each) => [each.title + each.text, each])).values()]
  const items = all.slice(0, ITEMS_MAX)
  const [first, ...more] = all
  const subject = more.length === 0 ? first!.title : `${first!.title}, and ${updates(more.length)}`
  const message = await emailLayout(brand, {
    subject,
    preview: 'Sign in to the portal to see more.',
    heading: more.length === 0 ? first!.title : 'What is new',
    body: [
      ...items.flatMap(({ title, text }) =>
        more.length === 0 ? [paragraph(text)] : [strong(title), paragraph(text)],
      ),
      ...(all.length > items.length
        ? [paragraph(`And ${updates(all.length - items.length)}.`)]
        : []),
      paragraph(`To see more, go to ${new URL(portal).host} and sign in.`),
      smallLink('Choose which emails you get', link),
    ],
  })
  return {
    ...message,
    headers: {
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

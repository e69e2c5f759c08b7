import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { parsed, UsageError } from './admin-input.ts'
import type { Erased, Erasing } from './features/records/erase.ts'

/** What the command line says of erasures. */

const erasureList = z.object({
  erasures: z.array(z.object({ userId: z.uuid(), contactId: z.nullable(z.string()) })),
})

/** The list that `erasures --out` wrote. */
export function keptErasures(file: string) {
  const content = readFileSync(file, 'utf8')
  try {
    return parsed(erasureList, JSON.parse(content)).erasures
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`${file} is not a list that \`erasures --out\` wrote.`)
  }
}

async function typedAgain(email: string): Promise<boolean> {
  process.stderr.write(`To erase this account for good, type ${email} (then Enter and Ctrl-D): `)
  const [line] = (await text(process.stdin)).split('\n')
  return line === email
}

const listed = (ids: readonly string[]) => (ids.length > 0 ? ids.join(' ') : 'none')

function erasedText({ userId, crm, fileStore, unsent, jobs }: Erased): string {
  return [
    `Erased here: the account, all that hung on it, and ${jobs} jobs that named it.`,
    `Not sent on yet, and gone: ${unsent.entries} entries for the CRM, ${unsent.documents} documents for Box.`,
    '',
    'Still to be deleted by the provider, in Salesforce:',
    `  contact: ${listed(crm.contacts)}`,
    `  documents: ${listed(crm.documents)}`,
    `  appointments: ${listed(crm.appointments)}`,
    `  intake, by our id: ${crm.intake ?? 'none'}`,
    `  contact requests, by our id: ${listed(crm.contactRequests)}`,
    'and in Box:',
    `  folder: ${fileStore.folder ?? 'none'}`,
    `  files: ${listed(fileStore.files)}`,
    '',
    `Kept for the record: the events of the audit log, under the id ${userId}, without name or address.`,
    'Keep the list of erasures outside of this database, for the day a backup is restored:',
    '  npm run admin -- erasures --out FILE',
  ].join('\n')
}

/** Asks, erases, and answers what to tell the operator. */
export async function eraseOne(erase: Erasing, email: string, isSure: boolean): Promise<string> {
  const found = await erase.find(email)
  if (found && found.role !== 'USER') {
    throw new UsageError('Only veterans are erased. Of staff, take the role first: `set-role`.')
  }
  if (found && !isSure && !(await typedAgain(email))) throw new UsageError('Nothing was erased.')
  const erased = found && (await erase.erase(found.userId))
  const signUps = await erase.eraseSignUps(email)
  const others = await erase.contactsWith(email)
  return [
    erased ? erasedText(erased) : `There is no account with the email ${email}: nothing to erase.`,
    ...(signUps > 0 ? [`Sign-ups that were never verified, erased: ${signUps}`] : []),
    ...(others.length > 0
      ? ['', `Other contacts in Salesforce with this email, copied here too: ${listed(others)}`]
      : []),
  ].join('\n')
}

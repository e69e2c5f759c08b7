import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { email } from '@guidon/contract/account'
import * as z from 'zod/mini'
import { noAccount, parsed, UsageError } from '../../platform/command.ts'
import type { Command, CommandLine } from '../../platform/command.ts'
import type { Erased, Erasing } from './erase.ts'
import type { Exporting } from './export.ts'
import type { Keys } from './keys.ts'

export interface RecordServices {
  records: Exporting & { erase: Erasing }
  keys: Keys
}

const erasureList = z.object({
  erasures: z.array(z.object({ userId: z.uuid(), contactId: z.nullable(z.string()) })),
})

function readErasures(file: string) {
  const content = readFileSync(file, 'utf8')
  try {
    return parsed(erasureList, JSON.parse(content)).erasures
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`${file} is not a list that \`erasures --out\` wrote.`)
  }
}

const listed = (ids: readonly string[]) => (ids.length > 0 ? ids.join(' ') : 'none')

function erasedText({ userId, crm, fileStore, unsent, jobs }: Erased): string {
  return [
    `Erased in the portal: the account, all its data, and ${jobs} jobs that named it.`,
    `Erased before they were sent: ${unsent.entries} entries for the CRM, ${unsent.documents} documents for Box.`,
    '',
    'The provider must still delete in Salesforce:',
    `  contact: ${listed(crm.contacts)}`,
    `  documents: ${listed(crm.documents)}`,
    `  appointments: ${listed(crm.appointments)}`,
    `  claims: ${listed(crm.claims)}`,
    `  intake, by our id: ${crm.intake ?? 'none'}`,
    `  contact requests, by our id: ${listed(crm.contactRequests)}`,
    'and in Box:',
    `  folder: ${fileStore.folder ?? 'none'}`,
    `  files: ${listed(fileStore.files)}`,
    '',
    `Kept as evidence: the events of the audit log under the id ${userId}, without name or address.`,
    'Store the list of erasures outside of this database, for the day a backup is restored:',
    '  npm run admin -- erasures --out FILE',
  ].join('\n')
}

/** Asks for confirmation and erases. Returns the text for the operator. */
async function eraseAccount(erase: Erasing, address: string, line: CommandLine): Promise<string> {
  const found = await erase.find(address)
  if (found && found.role !== 'USER') {
    throw new UsageError(
      'Only veterans can be erased. Make a staff account a USER first: `set-role`.',
    )
  }
  if (found && !line.options['yes']) {
    const typed = await line.ask(`To erase this account for good, type ${address}: `)
    if (typed !== address) throw new UsageError('Nothing was erased.')
  }
  const erased = found && (await erase.erase(found.userId))
  const signUps = await erase.eraseSignUps(address)
  const others = await erase.contactsWith(address)
  return [
    erased
      ? erasedText(erased)
      : `There is no account with the email ${address}: nothing to erase.`,
    ...(signUps > 0 ? [`Sign-ups that were never verified, erased: ${signUps}`] : []),
    ...(others.length > 0
      ? [
          '',
          `Other contacts in Salesforce with this email, which the portal has copies of: ${listed(others)}`,
        ]
      : []),
  ].join('\n')
}

export const recordCommands: Record<string, Command<RecordServices>> = {
  keys: {
    usage: '[--json]',
    help: 'shows each key by its id, the rows that still need it, and whether it can be removed (`mayGo`)',
    run: async ({ keys }, { options, print, table }) => {
      const states = await keys.states()
      if (options['json']) print(JSON.stringify({ keys: states }))
      else table(states)
    },
  },
  reseal: {
    help: 'encrypts stored data again, with the first of DATA_KEYS, if an older key encrypted it',
    needsOperator: true,
    run: async ({ keys }, { print }) => {
      const counts = Object.entries(await keys.reseal())
      print(
        `Encrypted again: ${counts.map(([table, rows]) => `${rows} rows of ${table}`).join(', ')}.`,
      )
    },
  },
  export: {
    usage: '--email E --out FOLDER',
    help: 'writes all data of an account into a new folder',
    needsOperator: true,
    run: async ({ records }, { options, path, print }) => {
      const input = parsed(z.object({ email, out: z.string() }), options)
      const folder = path(input.out)
      if (existsSync(folder)) {
        throw new UsageError(`${input.out} exists already. Name a folder that does not exist yet.`)
      }
      const files = await records.export(input.email, folder)
      if (files === undefined) throw noAccount(input.email)
      print(
        `Written to ${input.out}: record.json and ${files - 1} files that Box does not have yet.`,
      )
    },
  },
  erase: {
    usage: '--email E [--yes] | --again [--from FILE]',
    help:
      "erases a veteran's account for good, and lists what the provider must delete in Salesforce and Box.\n" +
      '--again, after a restore of the database, erases all accounts again that were erased before;\n' +
      '--from adds the accounts of a list that `erasures --out` wrote',
    needsOperator: true,
    run: async ({ records: { erase } }, line) => {
      const { options, path, print } = line
      if (options['again']) {
        const { from } = parsed(z.object({ from: z.optional(z.string()) }), options)
        const externalErasures = from ? readErasures(path(from)) : []
        print(
          `${await erase.again(externalErasures)} accounts were in the backup, and are erased again.`,
        )
        return
      }
      const input = parsed(z.object({ email }), options)
      print(await eraseAccount(erase, input.email, line))
    },
  },
  erasures: {
    usage: '[--out FILE]',
    help: 'lists the erased accounts by their ids. --out writes the list to a new file; store it outside of the database',
    run: async ({ records: { erase } }, { options, path, print, table }) => {
      const { out } = parsed(z.object({ out: z.optional(z.string()) }), options)
      const list = await erase.list()
      if (out === undefined) return table(list)
      writeNew(path(out), `${JSON.stringify({ erasures: list })}\n`)
      print(`Written to ${out}: ${list.length} erasures.`)
    },
  },
}

/** Only the operator can read the file. Never replaces one, or follows a link. */
function writeNew(file: string, content: string): void {
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new UsageError(`${file} exists already. Name a new file.`)
  }
}

import { missingToolsLine } from '../tools.ts'
import type { Account } from './demo-accounts.ts'
import type { Stack } from './stack.ts'

interface Started {
  urls: Stack['urls']
  accounts: readonly Account[]
  missingTools: readonly string[]
}

/** What `npm run dev` prints once everything runs. */
export function startSummary({ urls, accounts, missingTools }: Started): string {
  const addresses = [
    ['Portal', urls.portal],
    ['Mailbox', `${urls.mailbox} (sandbox: every email that the portal sends)`],
    ['Salesforce', `${urls.salesforce} (sandbox: act as the provider's staff here)`],
    ['Box', `${urls.box} (sandbox: the provider's files)`],
    ['API', urls.api.join(', ')],
    ['API docs', `${urls.api[0]}/docs`],
    ['PostgreSQL', urls.database],
  ]
  const signIns = accounts.map(({ role, email, password }) => [role, email, password])
  return [
    '',
    'Guidon is running.',
    '',
    ...table(addresses),
    '',
    'Demo sign-ins; the code for each arrives in the mailbox:',
    '',
    ...table([['Role', 'Email', 'Password'], ...signIns]),
    '',
    ...(missingTools.length === 0 ? [] : [missingToolsLine(missingTools), '']),
    'Ctrl-C stops everything.',
    '',
  ].join('\n')
}

function table(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd(),
  )
}

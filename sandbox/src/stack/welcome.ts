import type { Person } from './demo-people.ts'
import type { Stack } from './stack.ts'

/** What a newcomer needs, in one block. */
export function welcome(urls: Stack['urls'], people: readonly Person[]): string {
  const addresses = [
    ['Portal', urls.portal],
    ['Mailbox', urls.mailbox],
    ['Salesforce', `${urls.salesforce} (sandbox: play the provider's staff here)`],
    ['Box', `${urls.box} (sandbox: the provider's files)`],
    ['API', urls.api.join(', ')],
    ['API docs', `${urls.api[0]}/docs`],
    ['PostgreSQL', urls.database],
  ]
  const signIns = people.map((one) => [one.role, one.email, one.password])
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

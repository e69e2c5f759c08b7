import type { latestCheck } from '../../crm/check.sql.ts'
import type { cursorStates } from '../../crm/mirror/cursors.sql.ts'
import type { outboxState } from '../../crm/outbox/outbox.sql.ts'
import type { callsByPurpose, latestUsage } from '../../crm/usage.sql.ts'
import type { Command, CommandLine } from '../../platform/command.ts'

type Result<T extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<T>>

interface Status {
  check: Result<typeof latestCheck>
  mirror: Result<typeof cursorStates>
  usage: Result<typeof latestUsage>
  calls: Result<typeof callsByPurpose>
  outbox: Result<typeof outboxState>
}

interface Services {
  crm: { status(): Promise<Status>; sendAgain(): Promise<number> }
}

function showCheck(check: NonNullable<Status['check']>, { print }: CommandLine): void {
  const { state, problems, missing, since, checkedAt } = check
  const times = `since ${since.toISOString()} (last checked ${checkedAt.toISOString()})`
  if (state === 'unreachable') print(`The CRM is unreachable ${times}. The workers try again.`)
  if (state === 'stopped') {
    print(`STOPPED ${times}: nothing is read from or sent to the CRM.`)
    for (const problem of problems) print(`- ${problem}`)
    print(FIX)
  }
  if (missing.length === 0) return
  print(
    'Left out, because the CRM lacks it. Deploy the source in salesforce/ to use it, or write null for it',
  )
  print('in the mapping file if you have none:')
  for (const name of missing) print(`- ${name}`)
}

const FIX =
  "Deploy the source in salesforce/, give the permission set Guidon_Integration to the portal's user, or correct the mapping file. The workers check again every minute and then continue on their own."

function show(status: Status, line: CommandLine): void {
  const { check, mirror, usage, calls, outbox } = status
  const { print, table } = line
  if (check) showCheck(check, line)
  print(
    'Mirror: seconds since each kind was last read completely, when all its rows were last compared',
  )
  print(
    'with the CRM, and the rows repaired in that comparison or the one under way. `rereading`: what is',
  )
  print('read of the kind has changed, so all its rows are read again:')
  table(mirror)
  print(
    usage
      ? `API calls used in the last 24 hours: ${usage.used} of ${usage.limit}.`
      : 'API calls used: not known yet.',
  )
  if (calls.length > 0) {
    print('Calls by purpose, as the workers count them:')
    table(calls)
  }
  const age = outbox.waiting > 0 ? `, the oldest for ${outbox.oldestSeconds} s` : ''
  print(`Entries waiting to be sent: ${outbox.waiting}${age}.`)
  if (outbox.needLink > 0) {
    print(`${outbox.needLink} of them wait for a link to a contact: see Links to confirm.`)
  }
  if (outbox.refusals.length === 0) return
  print('Refused by the CRM. Fix the cause there, then run `crm send-again`:')
  table(outbox.refusals)
}

export const crmCommands: Record<string, Command<Services>> = {
  'crm status': {
    usage: '[--json]',
    help: 'shows whether the CRM has all fields, the lag of its mirror, the API calls by purpose, and the entries waiting to be sent',
    run: async ({ crm }, line) => {
      const status = await crm.status()
      if (line.options['json']) line.print(JSON.stringify(status))
      else show(status, line)
    },
  },
  'crm send-again': {
    help: 'sends all waiting entries to the CRM again, also those that it refused',
    needsOperator: true,
    run: async ({ crm }, { print }) =>
      print(`The entries of ${await crm.sendAgain()} veterans will be tried again.`),
  },
}

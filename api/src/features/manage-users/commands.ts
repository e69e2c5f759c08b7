import { email, role } from '@guidon/contract/account'
import * as z from 'zod/mini'
import { noAccount, parsed, UsageError } from '../../platform/command.ts'
import type { Command, CommandLine } from '../../platform/command.ts'
import { account } from './accounts.ts'
import type { Account, Accounts } from './accounts.ts'

async function create(
  accounts: Accounts,
  list: Account[],
  ifMissing: boolean,
  { print }: CommandLine,
): Promise<void> {
  for (const newAccount of list) {
    const created = await accounts.create(newAccount)
    if (!created && !ifMissing)
      throw new UsageError(`An account with the email ${newAccount.email} exists already.`)
    print(`${newAccount.role} ${newAccount.email}: ${created ? 'created' : 'exists already'}`)
  }
}

function parsedJson(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    // The message of the parser can quote a password.
    throw new UsageError('Standard input is not valid JSON.')
  }
}

export const accountCommands: Record<string, Command<{ accounts: Accounts }>> = {
  'create-user': {
    usage:
      '--email E --first-name F --last-name L --phone 10DIGITS --state S --role USER|STAFF|ADMIN',
    help:
      'creates an account. Asks for its password, or reads it from the first line of standard input if that is no\n' +
      'terminal. The state is written in full, such as Ohio',
    needsOperator: true,
    run: async ({ accounts }, line) => {
      const password = await line.ask('Password: ', 'hidden')
      const { 'first-name': firstName, 'last-name': lastName, ...rest } = line.options
      const newAccount = parsed(account, { ...rest, firstName, lastName, password })
      await create(accounts, [newAccount], false, line)
    },
  },
  'create-users': {
    usage: '[--if-missing]',
    help:
      'creates the accounts of a JSON array on standard input, each with email, password, firstName, lastName,\n' +
      'phone, state and role. --if-missing skips emails that already have an account',
    needsOperator: true,
    run: async ({ accounts }, line) => {
      const list = parsed(z.array(account), parsedJson(await line.input()))
      await create(accounts, list, Boolean(line.options['if-missing']), line)
    },
  },
  'set-role': {
    usage: '--email E --role USER|STAFF|ADMIN',
    help: "changes a role and ends the account's sessions",
    needsOperator: true,
    run: async ({ accounts }, { options, print }) => {
      const input = parsed(z.object({ email, role }), options)
      if (!(await accounts.setRole(input.email, input.role))) throw noAccount(input.email)
      print(`${input.email} is now ${input.role}. Its sessions have ended.`)
    },
  },
  unlock: {
    usage: '--email E',
    help: 'clears the limits that failed sign-ins have reached for an account',
    needsOperator: true,
    run: async ({ accounts }, { options, print }) => {
      const input = parsed(z.object({ email }), options)
      if (!(await accounts.unlock(input.email))) throw noAccount(input.email)
      print(`${input.email} can sign in again: its counters of failed sign-ins are cleared.`)
    },
  },
  unlink: {
    usage: '--email E',
    help: 'replaces a wrong CRM contact of an account with a new contact, and emails the veteran',
    needsOperator: true,
    run: async ({ accounts }, { options, print }) => {
      const input = parsed(z.object({ email }), options)
      if (!(await accounts.unlink(input.email))) {
        throw new UsageError(`There is no linked account with the email ${input.email}.`)
      }
      print(`${input.email} is no longer linked. The CRM will be updated.`)
    },
  },
}

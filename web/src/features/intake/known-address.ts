import type { AnswerName } from '@guidon/contract/intake'
import { getUserInfo, type UserInfo } from '@guidon/contract/profile'
import { STATES } from '@guidon/contract/states'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const knownAddressQuery = queryOptions({
  queryKey: ['intake', 'known-address'],
  queryFn: async ({ signal }) => knownAddress(await call(getUserInfo, { signal })),
})

/** What of the first step is known from the account: the intake asks for the state by its code. */
export function knownAddress(info: UserInfo): Partial<Record<AnswerName, string>> {
  const state = STATES.find(({ code, name }) => info.state === name || info.state === code)?.code
  const known = { street: info.street, city: info.city, state, zip: info.zip }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value))
}

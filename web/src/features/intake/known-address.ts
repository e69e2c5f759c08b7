import type { AnswerName } from '@guidon/contract/intake'
import { getUserInfo, type UserInfo } from '@guidon/contract/profile'
import { STATES } from '@guidon/contract/states'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const knownAddressQuery = queryOptions({
  queryKey: ['intake', 'known-address'],
  queryFn: async ({ signal }) => knownAddress(await call(getUserInfo, { signal })),
})

/** The account's address as answers of the first step, with the code of the state. */
export function knownAddress(info: UserInfo): Partial<Record<AnswerName, string>> {
  const state = STATES.find(({ code, name }) => info.state === name || info.state === code)?.code
  const known = { street: info.street, city: info.city, state, zip: info.zip }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value))
}

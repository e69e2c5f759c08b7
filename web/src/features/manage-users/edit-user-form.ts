import type { BodyIn } from '@guidon/contract/endpoint'
import {
  contactTaken,
  contactUnknown,
  folderTaken,
  updateUser,
  type ManagedUser,
} from '@guidon/contract/manage-users'
import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'
import * as z from 'zod/mini'
import type { CallFailure } from '../../api/call-failure.ts'

export const IDS = ['salesforceId', 'boxFolderId'] as const
type Id = (typeof IDS)[number]

export type Values = { email: string } & Record<Id, string>
export type Changes = BodyIn<typeof updateUser>

export const valuesOf = ({ email, salesforceId, boxFolderId }: ManagedUser): Values => ({
  email,
  salesforceId: salesforceId ?? '',
  boxFolderId: boxFolderId ?? '',
})

/** Only changed fields, none empty: this form cannot unlink an account. */
export function changesOf(user: ManagedUser, values: Partial<Values>): Changes {
  const kept = valuesOf(user)
  const entries = IDS.map((id) => [id, values[id]?.trim() ?? ''] as const)
  return Object.fromEntries(entries.filter(([id, value]) => value !== '' && value !== kept[id]))
}

/** Whether an existing id was cleared. */
export function isEmptied(user: ManagedUser, values: Partial<Values>, id: Id): boolean {
  return user[id] !== null && values[id]?.trim() === ''
}

const form = z.extend(updateUser.body, {
  email: z.string().check(z.includes('@', 'Please enter a valid email address')),
})
const contractRules = zodResolver(form)

/** Unchanged fields are not validated, because they may be older than the rules. */
export function rulesFor(user: ManagedUser): Resolver<Values, unknown, z.infer<typeof form>> {
  return (values, context, options) =>
    contractRules(
      { email: values.email, ...changesOf(user, values) },
      context,
      options as Parameters<typeof contractRules>[2],
    )
}

const ABOUT_SALESFORCE = new Set([contactUnknown.code, contactTaken.code])

/** The fields that the server refused, each with its message. */
export function refusedIds({ code, message, fields }: CallFailure): [Id, string][] {
  if (ABOUT_SALESFORCE.has(code)) return [['salesforceId', message]]
  if (code === folderTaken.code) return [['boxFolderId', message]]
  return IDS.flatMap((id) => (fields[id] ? [[id, fields[id]]] : []))
}

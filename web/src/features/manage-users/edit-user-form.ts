import type { BodyIn } from '@guidon/contract/endpoint'
import { FOLDER_CODES } from '@guidon/contract/folders'
import {
  contactTaken,
  contactUnknown,
  updateUser,
  type ManagedUser,
} from '@guidon/contract/manage-users'
import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'
import * as z from 'zod/mini'
import type { CallFailure } from '../../api/call-failure.ts'

export const ID_FIELDS = ['salesforceId', 'boxFolderId'] as const
type IdField = (typeof ID_FIELDS)[number]

export type Values = { email: string } & Record<IdField, string>
export type Changes = BodyIn<typeof updateUser>

export const valuesOf = ({ email, salesforceId, boxFolderId }: ManagedUser): Values => ({
  email,
  salesforceId: salesforceId ?? '',
  boxFolderId: boxFolderId ?? '',
})

/** Only changed fields, none empty: this form cannot unlink an account. */
export function changesOf(user: ManagedUser, values: Partial<Values>): Changes {
  const current = valuesOf(user)
  const entries = ID_FIELDS.map((id) => [id, values[id]?.trim() ?? ''] as const)
  return Object.fromEntries(entries.filter(([id, value]) => value !== '' && value !== current[id]))
}

/** Whether an existing id was cleared. */
export function isCleared(user: ManagedUser, values: Partial<Values>, id: IdField): boolean {
  return user[id] !== null && values[id]?.trim() === ''
}

const CASE_SENSITIVE_ID = 15

/** Whether the account has the contact that was entered. Ids of 15 and of 18 characters start the same. */
export function hasContact({ salesforceId }: ManagedUser, entered: string | undefined): boolean {
  const start = (id: string) => id.slice(0, CASE_SENSITIVE_ID)
  return entered === undefined || start(salesforceId ?? '') === start(entered)
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

const SALESFORCE_ID_CODES = new Set([contactUnknown.code, contactTaken.code])

/** The fields that the server refused, each with its message. */
export function refusedIds({ code, message, fields }: CallFailure): [IdField, string][] {
  if (SALESFORCE_ID_CODES.has(code)) return [['salesforceId', message]]
  if (FOLDER_CODES.has(code)) return [['boxFolderId', message]]
  return ID_FIELDS.flatMap((id) => (fields[id] ? [[id, fields[id]]] : []))
}

import type { SortBy } from '@guidon/contract/manage-users'
import { z } from 'zod'
import type { Place } from '../../db/managed-users.ts'
import { refuseInput } from '../../http/refuse.ts'

/** Where the next page begins, and how many accounts there were when the first one was asked for. */
export interface PageStart extends Place {
  total: number
}

const written = z.tuple([z.string(), z.uuid(), z.boolean(), z.number()])
const MOMENT = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d){0,2}$/

export function writtenPlace({ value, id, elsewhere, total }: PageStart): string {
  const parts: z.infer<typeof written> = [value, id, elsewhere, total]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Refuses what no page of ours ended with. */
export function placeOf(cursor: string, sortBy: SortBy): PageStart {
  const read = written.safeParse(parsed(Buffer.from(cursor, 'base64url').toString()))
  const [value, id, elsewhere, total] = read.data ?? []
  const fits = value !== undefined && (sortBy !== 'createdAt' || MOMENT.test(value))
  if (!fits || !id || value.includes('\0')) {
    throw refuseInput([{ path: ['cursor'], message: 'This page no longer exists' }])
  }
  return { value, id, elsewhere: elsewhere ?? false, total: total ?? 0 }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { noticeLinkVoid, NOTICE_KINDS } from '@guidon/contract/notices'
import type { NoticeKind, NoticePreferences } from '@guidon/contract/notices'
import { recordEvent } from '../../db/audit-events.ts'
import type { Database } from '../../db/database.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { readNoticeToken } from './link.ts'
import { findOff, isVeteran, setOff } from './preferences.sql.ts'

interface Switch {
  kind: NoticeKind
  on: boolean
}

export interface Preferences {
  of(userId: string): Promise<NoticePreferences>
  set(userId: string, change: Switch): Promise<NoticePreferences>
  /** For the link in an email. It shows nothing about the account but the switches. */
  byToken(token: string): Promise<NoticePreferences>
  setByToken(token: string, change: Switch): Promise<NoticePreferences>
  /** Turns off the kinds of the email that the token is from. */
  unsubscribe(token: string): Promise<void>
}

export function preferences(db: Database, tokens: Tokens): Preferences {
  const of = async (userId: string) => {
    const off = await findOff(db, userId)
    return { switches: NOTICE_KINDS.map((kind) => ({ kind, on: !off.includes(kind) })) }
  }
  const change = (
    userId: string,
    { kinds, on, by }: { kinds: readonly NoticeKind[]; on: boolean; by: 'session' | 'link' },
  ) =>
    db.transaction().execute(async (tx) => {
      if (!(await setOff(tx, userId, kinds, !on))) return
      await recordEvent(tx, {
        event: 'notices_changed',
        actorId: by === 'session' ? userId : undefined,
        subjectId: userId,
        details: { kinds: kinds.join(' '), on, by },
      })
    })
  const targetOf = async (token: string) => {
    const target = readNoticeToken(tokens, token)
    if (!target || !(await isVeteran(db, target.userId))) throw refuse(noticeLinkVoid)
    return target
  }
  return {
    of,
    set: async (userId, { kind, on }) => {
      await change(userId, { kinds: [kind], on, by: 'session' })
      return of(userId)
    },
    byToken: async (token) => of((await targetOf(token)).userId),
    setByToken: async (token, { kind, on }) => {
      const { userId } = await targetOf(token)
      await change(userId, { kinds: [kind], on, by: 'link' })
      return of(userId)
    },
    unsubscribe: async (token) => {
      const { userId, kinds } = await targetOf(token)
      await change(userId, { kinds, on: false, by: 'link' })
    },
  }
}

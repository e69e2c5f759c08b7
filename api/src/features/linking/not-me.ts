import { timingSafeEqual } from 'node:crypto'
import { notMeVoid } from '@guidon/contract/links'
import { screens } from '@guidon/contract/screens'
import type { Links } from '../../crm/links/links.ts'
import type { Database } from '../../db/database.ts'
import { ownerOfLink } from '../../db/links.ts'
import { lockUsers } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Calls } from '../feature.ts'

/** Nothing is stored: the token works as long as the key that signed it. It can only hide records. */
const tokenOf = (tokens: Tokens, linkId: string) =>
  `${linkId}.${tokens.hash('notMe', linkId).toString('base64url')}`

export const notMeLink = (portal: string, tokens: Tokens, linkId: string): string =>
  `${portal}${screens.notMe}#${tokenOf(tokens, linkId)}`

/** Undefined if we did not sign it. */
function readToken(tokens: Tokens, token: string): string | undefined {
  const [linkId = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const isSigned = tokens
    .hashes('notMe', linkId)
    .some((hash) => hash.length === given.length && timingSafeEqual(hash, given))
  return isSigned && isUuid(linkId) ? linkId : undefined
}

export interface NotMeParts {
  db: Database
  tokens: Tokens
  links: Pick<Links, 'freeze'>
  calls: Pick<Calls, 'endSignIns'>
}

/** Ends all sessions of the account, freezes its link, and puts it before staff. Repeated, it changes nothing. */
export function notMe({ db, tokens, links, calls }: NotMeParts) {
  return async (token: string): Promise<void> => {
    const linkId = readToken(tokens, token)
    const userId = linkId && (await ownerOfLink(db, linkId))
    if (!userId) throw refuse(notMeVoid)
    await db.transaction().execute(async (tx) => {
      await lockUsers(tx, [userId])
      if (await links.freeze(tx, linkId)) await calls.endSignIns(tx, userId)
    })
  }
}

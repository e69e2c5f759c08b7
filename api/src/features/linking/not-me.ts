import { notMeVoid } from '@guidon/contract/links'
import { screens } from '@guidon/contract/screens'
import { ownerOfLink } from '../../crm/links/links.sql.ts'
import type { Links } from '../../crm/links/links.ts'
import type { Database } from '../../db/database.ts'
import { lockUsers } from '../../db/users.ts'
import { refuse } from '../../http/refuse.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Calls } from '../feature.ts'

/** Nothing is stored: the token works as long as the key that signed it. It can only hide records. */
export const notMeLink = (portal: string, tokens: Tokens, linkId: string): string =>
  `${portal}${screens.notMe}#${tokens.sign('notMe', linkId)}`

export interface NotMeParts {
  db: Database
  tokens: Tokens
  links: Pick<Links, 'freeze'>
  calls: Pick<Calls, 'endSignIns'>
}

/** Ends all sessions of the account, freezes its link, and puts it before staff. Repeated, it ends the sessions again. */
export function notMe({ db, tokens, links, calls }: NotMeParts) {
  return (token: string): Promise<void> =>
    db.transaction().execute(async (tx) => {
      const linkId = tokens.readSigned('notMe', token)
      const userId = linkId && isUuid(linkId) && (await ownerOfLink(tx, linkId))
      if (!userId) throw refuse(notMeVoid)
      await lockUsers(tx, [userId])
      // It may have ended meanwhile.
      if (!(await ownerOfLink(tx, linkId))) throw refuse(notMeVoid)
      await links.freeze(tx, linkId)
      await calls.endSignIns(tx, userId)
    })
}

import { tokens } from '../../../api/src/platform/tokens.ts'
import type { boot } from '../../support/boot.ts'

type TestApp = Pick<Awaited<ReturnType<typeof boot>>, 'config' | 'sql'>

/** Replaces the account's hand-off (which lets a phone send one document for the account), as if the account had signed in and created it. */
export async function addHandOff({ config, sql }: TestApp, email: string) {
  const { make, hash } = tokens(config.TOKEN_KEY)
  const token = make()
  await sql.query('delete from hand_offs using users where users.id = user_id and email = $1', [
    email,
  ])
  const { rows } = await sql.query<{ id: string }>(
    `with owner as (select id from users where email = $1),
     session as (
       insert into sessions (user_id, idle_limit, expires_at)
       select id, '30 minutes', now() + interval '1 hour' from owner returning id, user_id)
     insert into hand_offs (user_id, session_id, token_hash, document_type, expires_at)
     select user_id, id, $2, 'Other', now() + interval '15 minutes' from session
     returning id`,
    [email, hash('hand-off', token)],
  )
  return { id: rows[0]!.id, token }
}

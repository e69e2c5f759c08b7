import { NOTICE_KINDS, UNSUBSCRIBE_PATH } from '@guidon/contract/notices'
import type { NoticeKind } from '@guidon/contract/notices'
import type { Tokens } from '../../platform/tokens.ts'

/** Whose preferences a link opens, and which kinds one click turns off. */
interface LinkTarget {
  userId: string
  kinds: readonly NoticeKind[]
}

/** The id of the account in hex, and one bit for each kind. */
const FORM = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{2})$/

/** Nothing is stored: the token works as long as the key that signed it. */
export function noticeToken(tokens: Tokens, { userId, kinds }: LinkTarget): string {
  const bits = kinds.reduce((sum, kind) => sum | (1 << NOTICE_KINDS.indexOf(kind)), 0)
  const target = userId.replaceAll('-', '') + bits.toString(16).padStart(2, '0')
  return tokens.sign('notices', target)
}

/** Undefined if we did not sign it. */
export function readNoticeToken(tokens: Tokens, token: string): LinkTarget | undefined {
  const [, ...parts] = FORM.exec(tokens.readSigned('notices', token) ?? '') ?? []
  if (parts.length === 0) return undefined
  const bits = parseInt(parts.pop()!, 16)
  return { userId: parts.join('-'), kinds: NOTICE_KINDS.filter((_, at) => bits & (1 << at)) }
}

export const unsubscribeLink = (portal: string, tokens: Tokens, target: LinkTarget): string =>
  `${portal}${UNSUBSCRIBE_PATH}?token=${noticeToken(tokens, target)}`

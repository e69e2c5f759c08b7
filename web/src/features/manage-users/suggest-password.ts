import { containsName } from '@guidon/contract/password-strength'
import type { PersonalInfo } from '@guidon/contract/password-strength'

/** The choices for each character of a group, without those that look alike or sound alike on the phone. */
const GROUP = [
  'ACDEFGHJKLMNPQRTUVWXY',
  'abcdefghjkmnpqrtuvwxyz',
  '346789',
  'abcdefghjkmnpqrtuvwxyz',
]
const GROUPS = 4

/** A temporary password such as `Kx7m-Pq4r-Th9w-Hn3k`: it meets every rule and can be read out. */
export function suggestPassword(person: PersonalInfo): string {
  for (;;) {
    const password = Array.from({ length: GROUPS }, randomGroup).join('-')
    if (!containsName(password, person)) return password
  }
}

function randomGroup(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(GROUP.length))
  // The remainder of 32 bits favors no character noticeably.
  return GROUP.map((characters, at) => characters[numbers[at]! % characters.length]).join('')
}

import type { PersonalInfo } from '@guidon/contract/password-strength'

/** Each character of a group; without those that look or sound alike on the phone. */
const GROUP = [
  'ACDEFGHJKLMNPQRTUVWXY',
  'abcdefghjkmnpqrtuvwxyz',
  '346789',
  'abcdefghjkmnpqrtuvwxyz',
]
const GROUPS = 4
const NAME_PART_MIN = 3

/** A temporary password such as `Kx7m-Pq4r-Th9w-Hn3k`: it meets every rule and can be read out. */
export function suggestPassword({ firstName, lastName, email }: PersonalInfo): string {
  const names = [firstName, lastName, email.split('@')[0] ?? '']
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part.length >= NAME_PART_MIN)
  for (;;) {
    const password = Array.from({ length: GROUPS }, randomGroup).join('-')
    if (!names.some((name) => password.toLowerCase().includes(name))) return password
  }
}

function randomGroup(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(GROUP.length))
  // The remainder of 32 bits favours no character noticeably.
  return GROUP.map((characters, at) => characters[numbers[at]! % characters.length]).join('')
}

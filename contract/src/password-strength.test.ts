import { describe, expect, it } from 'vitest'
import { isHardToGuess } from './password-strength.ts'

const personal = { firstName: 'James', lastName: 'Whitfield', email: 'jim.1968@example.com' }

describe('a password that is hard to guess', () => {
  it.each(['Copper7!lantern-harbor', 'Harbor-Lantern-42!', 'tR7#kq9!Lm'])('%s', (password) => {
    expect(isHardToGuess(password, personal)).toBe(true)
  })

  it.each(['Password1!', 'Qwerty123!', 'Summer2026!', 'Abcdefg1!'])('%s is not', (password) => {
    expect(isHardToGuess(password, personal)).toBe(false)
  })

  it.each(['Whitfield-Lantern-42!', 'xq7#JAMES!Lm2pZ', 'Lantern-1968-Harbor!'])(
    '%s contains a name or the email, so it is not',
    (password) => {
      expect(isHardToGuess(password, personal)).toBe(false)
    },
  )

  it('is checked in bounded time, whatever its length', () => {
    const started = process.cpuUsage()
    isHardToGuess('aB3$'.repeat(32), personal)
    // CPU time, because wall time depends on the machine's load.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1_000)
  })
})

import { describe, expect, it } from 'vitest'
import { isHardToGuess } from './password-strength.ts'

const james = { firstName: 'James', lastName: 'Whitfield', email: 'jim.1968@example.com' }

describe('the strength check', () => {
  it.each(['Copper7!lantern-harbor', 'Harbor-Lantern-42!', 'tR7#kq9!Lm'])(
    'accepts %s',
    (password) => {
      expect(isHardToGuess(password, james)).toBe(true)
    },
  )

  it.each(['Password1!', 'Qwerty123!', 'Summer2026!', 'Abcdefg1!'])(
    'refuses the guessable password %s',
    (password) => {
      expect(isHardToGuess(password, james)).toBe(false)
    },
  )

  it.each(['Whitfield-Lantern-42!', 'xq7#JAMES!Lm2pZ', 'Lantern-1968-Harbor!'])(
    'refuses %s, which contains a part of the name or the email',
    (password) => {
      expect(isHardToGuess(password, james)).toBe(false)
    },
  )

  it('takes bounded time for a password of any length', () => {
    const started = process.cpuUsage()
    isHardToGuess('aB3$'.repeat(32), james)
    // CPU time, because wall time depends on the machine's load.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1_000)
  })
})

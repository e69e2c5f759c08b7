import { describe, expect, it } from 'vitest'
import { isGuessable } from './guessability.ts'

const known = ['james', 'whitfield', 'jim', '1968']

describe('the estimate', () => {
  it.each(['Copper7!lantern-harbor', 'Harbor-Lantern-42!', 'tR7#kq9!Lm'])(
    'accepts %s',
    (password) => {
      expect(isGuessable(password, known)).toBe(false)
    },
  )

  it.each(['Password1!', 'Qwerty123!', 'Summer2026!', 'Abcdefg1!'])(
    'finds the guessable password %s',
    (password) => {
      expect(isGuessable(password, known)).toBe(true)
    },
  )

  it.each(['P@ssw0rd1', 'Aa@123456', '1qaz@WSX', 'Welcome@123', 'Iloveyou1!', '!QAZ2wsx'])(
    'finds %s, a common password that meets every rule about characters',
    (password) => {
      expect(isGuessable(password, known)).toBe(true)
    },
  )

  it.each(['Guidon-2026!', 'Veterans-Portal-68!', 'SemperFi-1775!', 'Disability-Claim-1!'])(
    'finds %s, which has little more than words of the portal',
    (password) => {
      expect(isGuessable(password, known)).toBe(true)
    },
  )

  it('accepts a word of the portal in a password that is strong without it', () => {
    expect(isGuessable('Veteran7!lantern-harbor', known)).toBe(false)
  })

  it('takes bounded time for a password of any length', () => {
    const started = process.cpuUsage()
    isGuessable('aB3$'.repeat(32), known)
    // CPU time, because wall time depends on the machine's load.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1_000)
  })
})

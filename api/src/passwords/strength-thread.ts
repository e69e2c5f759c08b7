import { parentPort } from 'node:worker_threads'
import { isHardToGuess } from '@guidon/contract/password-strength'
import type { PersonalInfo } from '@guidon/contract/password-strength'

export interface Question {
  number: number
  password: string
  person: PersonalInfo
}
export interface Verdict {
  number: number
  hard: boolean
}

parentPort?.on('message', ({ number, password, person }: Question) => {
  parentPort?.postMessage({ number, hard: isHardToGuess(password, person) } satisfies Verdict)
})

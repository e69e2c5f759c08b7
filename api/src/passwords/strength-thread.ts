import { parentPort } from 'node:worker_threads'
import { isHardToGuess } from '@guidon/contract/password-strength'
import type { PersonalInfo } from '@guidon/contract/password-strength'

export interface Estimate {
  number: number
  password: string
  person: PersonalInfo
}
export interface EstimateResult {
  number: number
  isHard: boolean
}

parentPort?.on('message', ({ number, password, person }: Estimate) => {
  const isHard = isHardToGuess(password, person)
  parentPort?.postMessage({ number, isHard } satisfies EstimateResult)
})

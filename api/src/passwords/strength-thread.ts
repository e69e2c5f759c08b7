import { parentPort } from 'node:worker_threads'
import { isGuessable } from './guessability.ts'

export interface Estimate {
  number: number
  password: string
  knownWords: string[]
}
export interface EstimateResult {
  number: number
  guessable: boolean
}

parentPort?.on('message', ({ number, password, knownWords }: Estimate) => {
  const guessable = isGuessable(password, knownWords)
  parentPort?.postMessage({ number, guessable } satisfies EstimateResult)
})

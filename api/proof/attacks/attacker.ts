import { attacks } from './attacks.ts'
import type { Target } from './target.ts'

/** The attacker is a separate process, so that its work does not distort the measurement. */

export interface Order {
  attack: string
  target: Target
  forMs: number
}

process.once('message', ({ attack, target, forMs }: Order) => {
  const report = async () => {
    process.send!(await attacks[attack]!.run(target, forMs))
    process.disconnect()
  }
  void report()
})

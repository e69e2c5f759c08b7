import type { Target } from '../../../support/attacks/target.ts'
import { attacks } from './attacks.ts'

/** The attacker is a separate process, so that its work does not distort the measurement. */

export interface AttackMessage {
  attack: string
  target: Target
  durationMs: number
}

process.once('message', ({ attack, target, durationMs }: AttackMessage) => {
  const attackAndReport = async () => {
    process.send!(await attacks[attack]!.run(target, durationMs))
    process.disconnect()
  }
  void attackAndReport()
})

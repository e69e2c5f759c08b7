import type { Target } from '../../../support/attacks/target.ts'
import { runTasks } from '../../../support/outside/run-tasks.ts'
import { attacks } from './attacks.ts'

/** The attacker is a separate process, so that its work does not distort the measurement. */

export interface AttackMessage {
  attack: string
  target: Target
  durationMs: number
}

runTasks(({ attack, target, durationMs }: AttackMessage) =>
  attacks[attack]!.run(target, durationMs),
)

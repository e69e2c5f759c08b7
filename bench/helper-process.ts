import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export interface Helper<Task extends object, Result> {
  pid: number
  run(task: Task): Promise<Result>
  stop(): void
}

/** A process of the bench's own that does a task when asked and answers its result. */
export function helper<Task extends object, Result>(
  file: string,
  execArgv: readonly string[] = [],
): Helper<Task, Result> {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: [...process.execArgv, ...execArgv],
    env: { ...process.env, UV_THREADPOOL_SIZE: String(availableParallelism()) },
  })
  const died = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before its answer`)
  })
  died.catch(() => {})
  return {
    pid: child.pid!,
    run: async (task) => {
      const answered = once(child, 'message').then(([result]) => result as Result)
      child.send(task)
      return Promise.race([answered, died])
    },
    stop: () => void child.kill(),
  }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

interface Helper<Task extends object, Result> {
  pid: number
  run(task: Task): Promise<Result>
  stop(): void
}

/** Starts a child process that runs tasks. `file` must send the result of each task back, as `runTasks` does. */
export function startHelper<Task extends object, Result>(
  file: URL,
  execArgv: readonly string[] = [],
): Helper<Task, Result> {
  const child = fork(file, {
    execArgv: [...process.execArgv, ...execArgv],
    env: { ...process.env, UV_THREADPOOL_SIZE: String(availableParallelism()) },
  })
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${file.pathname} ended before its result`)
  })
  exited.catch(() => {})
  return {
    pid: child.pid!,
    run: async (task) => {
      const finished = once(child, 'message').then(([result]) => result as Result)
      child.send(task)
      return Promise.race([finished, exited])
    },
    stop: () => void child.kill(),
  }
}

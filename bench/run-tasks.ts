/** Runs the tasks that the parent process sends through `helper`, and exits with it. */
export function runTasks(work: (task: never) => Promise<unknown>): void {
  const run = async (task: unknown) => {
    process.send?.(await work(task as never))
  }
  process.on('message', (task) => void run(task))
  process.once('disconnect', () => process.exit())
}

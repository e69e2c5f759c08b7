/** The child's side of `startHelper`: runs each task that the parent sends, and exits with the parent. */
export function runTasks(runTask: (task: never) => Promise<unknown>): void {
  const run = async (task: unknown) => {
    process.send?.(await runTask(task as never))
  }
  process.on('message', (task) => void run(task))
  process.once('disconnect', () => process.exit())
}

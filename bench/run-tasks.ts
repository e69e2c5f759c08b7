/** What a process started by `helper` does when asked. It ends with the one that started it. */
export function answerTasks(work: (task: never) => Promise<unknown>): void {
  const answer = async (task: unknown) => {
    process.send?.(await work(task as never))
  }
  process.on('message', (task) => void answer(task))
  process.once('disconnect', () => process.exit())
}

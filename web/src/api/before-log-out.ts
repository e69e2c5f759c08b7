/** Saves pending work. Throws an error with a message for the veteran if that is not possible. */
type Task = () => Promise<void>

const tasks = new Set<Task>()

/** Runs the task before a log out. Returns a function that removes it. */
export function beforeLogOut(task: Task): () => void {
  tasks.add(task)
  return () => tasks.delete(task)
}

export async function runTasksBeforeLogOut(): Promise<void> {
  await Promise.all([...tasks].map((task) => task()))
}

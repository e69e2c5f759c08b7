import { afterAll } from 'vitest'

const closers: (() => unknown)[] = []

/** Runs `close` after the tests of the file, also if it is called during a test, when `afterAll` has no effect. */
export function afterFile(close: () => unknown): void {
  closers.push(close)
}

/** For each test file. Closes all at once, because a job worker waits for its running jobs. */
export function closeAfterFile(): void {
  afterAll(async () => {
    await Promise.all(closers.splice(0).map((close) => close()))
  })
}

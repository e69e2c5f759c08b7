import { afterAll, vi } from 'vitest'
import { closeAfterFile } from './after-file.ts'

closeAfterFile()
// All files of a worker share its modules and its clock.
afterAll(() => void vi.useRealTimers())

import { isGone } from '../is-gone.ts'
import { deleteUnfinished } from '../upload.ts'
import { isTemporary, pauseAfter } from './retry.ts'

/** With the pauses, more than a minute. */
const TRIES = 8

/** Deletes an upload, also if the connection is lost at the moment. Returns whether it is gone. */
export async function discard(id: string): Promise<boolean> {
  for (let failures = 1; failures <= TRIES; failures += 1) {
    try {
      await deleteUnfinished(id)
      return true
    } catch (error) {
      if (isGone(error)) return true
      if (!isTemporary(error)) return false
      await pauseAfter(failures, error)
    }
  }
  return false
}

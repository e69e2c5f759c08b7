import { TRANSFER_BYTES_A_SECOND_MIN_AT_CAPACITY } from '@guidon/contract/limits'
import { tooManyViews, VIEWS_AT_ONCE, viewsBusy } from '@guidon/contract/viewing'
import { refuse } from '../../../http/refuse.ts'
import { measurePace, TRANSFER_PACE } from '../../../platform/transfer-pace.ts'
import type { PaceLimits } from '../../../platform/transfer-pace.ts'

/** Of one process. Each holds up to three megabytes and a connection to the file store. */
const MAX_CONCURRENT = 50
const RETRY_SECONDS = 5
const FULL_RETRY_SECONDS = 30

export interface Transfer {
  /** Aborts when the client is gone, reads too slowly, or the transfer has ended. */
  signal: AbortSignal
  /** Counts bytes that the client has taken. */
  add(bytes: number): void
  end(): void
}

interface Running {
  viewerId: string
  rate(): number | undefined
  end(): void
}

/** Limits the files that this process sends at the same time: by account, in total, and by their rate. */
export function transfers({
  maxConcurrent = MAX_CONCURRENT,
  pace: limits = TRANSFER_PACE,
}: { maxConcurrent?: number; pace?: PaceLimits } = {}) {
  const running = new Set<Running>()

  /** Ends the slowest transfer if it is below the minimum rate of a full process. Returns whether it did. */
  const endSlowest = (): boolean => {
    const rated = [...running].map((one) => ({ one, rate: one.rate() ?? Infinity }))
    const [slowest] = rated.toSorted((a, b) => a.rate - b.rate)
    if (!slowest || slowest.rate >= TRANSFER_BYTES_A_SECOND_MIN_AT_CAPACITY) return false
    slowest.one.end()
    return true
  }

  /** Throws a refusal if there are too many. `closed` aborts when the client is gone. */
  return (viewerId: string, closed: AbortSignal): Transfer => {
    const own = [...running].filter((one) => one.viewerId === viewerId)
    if (own.length >= VIEWS_AT_ONCE) {
      throw refuse(tooManyViews, { retryAfterSeconds: RETRY_SECONDS })
    }
    if (running.size >= maxConcurrent && !endSlowest()) {
      throw refuse(viewsBusy, { retryAfterSeconds: FULL_RETRY_SECONDS })
    }
    const controller = new AbortController()
    const end = () => {
      pace.stop()
      running.delete(transfer)
      closed.removeEventListener('abort', end)
      controller.abort()
    }
    const pace = measurePace(limits, end)
    const transfer = { viewerId, rate: pace.rate, end }
    running.add(transfer)
    closed.addEventListener('abort', end)
    if (closed.aborted) end()
    return { signal: controller.signal, add: pace.add, end }
  }
}

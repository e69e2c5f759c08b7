const MB = 1024 * 1024
/** A photo of this size decodes in a third of a second. */
const BYTES_A_SECOND = 25 * MB

/** Who wants much work done has to send much. */
export function cpuSecondsFor(base: number, size: number): number {
  return base + Math.floor(size / BYTES_A_SECOND)
}

const MB = 1024 * 1024
/** Each 25 MB of a file allow one more CPU second; a photo of this size decodes in a third of a second. */
const BYTES_PER_CPU_SECOND = 25 * MB

export function cpuSecondsFor(base: number, size: number): number {
  return base + Math.floor(size / BYTES_PER_CPU_SECOND)
}

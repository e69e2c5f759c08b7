const UNITS = ['bytes', 'KB', 'MB'] as const
const STEP = 1024

/** `482 KB`, `2.3 MB` */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte'
  const unit = bytes < STEP ? 0 : bytes < STEP * STEP ? 1 : 2
  const amount = bytes / STEP ** unit
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`
}

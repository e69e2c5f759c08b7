/** `a, b,c` as its three parts. */
export function commaList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

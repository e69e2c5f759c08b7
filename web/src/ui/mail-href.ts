/** What is not an address stays one: a `?` in it would otherwise begin a subject or a copy to others. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
}

/** Encoded, because a `?` would start a subject or further recipients. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
}

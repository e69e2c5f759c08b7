import type { Document } from '@guidon/contract/documents'

export const isRequested = ({ boxFileId }: Document): boolean => !boxFileId

/** What is asked for comes before what is there; within each, the order of the server. */
export function requestedFirst(documents: readonly Document[]): Document[] {
  return [...documents.filter(isRequested), ...documents.filter((one) => !isRequested(one))]
}

/** The uploads of this visit stand at the top, also after the list came anew. */
export function newestOnTop(documents: readonly Document[], newIds: readonly string[]): Document[] {
  const top = newIds.flatMap((id) => documents.find((one) => one.id === id) ?? [])
  return [...top, ...documents.filter(({ id }) => !newIds.includes(id))]
}

/** A new document; one that was there already, under the same id, is not there twice. */
export function withNew(documents: readonly Document[], made: Document): Document[] {
  return [made, ...documents.filter(({ id }) => id !== made.id)]
}

/** What was uploaded takes the place of what it was uploaded for. */
export function inPlaceOf(
  documents: readonly Document[],
  oldId: string,
  made: Document,
): Document[] {
  if (!documents.some(({ id }) => id === oldId)) return withNew(documents, made)
  return documents
    .filter(({ id }) => id === oldId || id !== made.id)
    .map((one) => (one.id === oldId ? made : one))
}

/** `2 requested, 1 uploaded` */
export function counted(documents: readonly Document[]): string {
  const requested = documents.filter(isRequested).length
  return `${requested} requested, ${documents.length - requested} uploaded`
}

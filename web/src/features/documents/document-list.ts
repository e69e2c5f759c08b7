import type { Document } from '@guidon/contract/documents'

export const isRequested = ({ boxFileId }: Document): boolean => !boxFileId

/** Requested documents come before uploaded ones; each group keeps the server's order. */
export function requestedFirst(documents: readonly Document[]): Document[] {
  return [
    ...documents.filter(isRequested),
    ...documents.filter((document) => !isRequested(document)),
  ]
}

/** Keeps the uploads of this visit at the top, also after a refetch. */
export function newUploadsFirst(
  documents: readonly Document[],
  newIds: readonly string[],
): Document[] {
  const top = newIds.flatMap((id) => documents.find((document) => document.id === id) ?? [])
  return [...top, ...documents.filter(({ id }) => !newIds.includes(id))]
}

/** Adds a document at the top; one with the same id is replaced. */
export function addDocument(documents: readonly Document[], created: Document): Document[] {
  return [created, ...documents.filter(({ id }) => id !== created.id)]
}

/** Replaces the requested document by the uploaded one. */
export function replaceDocument(
  documents: readonly Document[],
  oldId: string,
  created: Document,
): Document[] {
  if (!documents.some(({ id }) => id === oldId)) return addDocument(documents, created)
  return documents
    .filter(({ id }) => id === oldId || id !== created.id)
    .map((document) => (document.id === oldId ? created : document))
}

/** `2 requested, 1 uploaded` */
export function countText(documents: readonly Document[]): string {
  const requested = documents.filter(isRequested).length
  return `${requested} requested, ${documents.length - requested} uploaded`
}

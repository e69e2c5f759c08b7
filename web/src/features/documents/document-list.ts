import { OTHER_CATEGORY, type Document } from '@guidon/contract/documents'

export const isRequested = ({ boxFileId }: Document): boolean => !boxFileId

/** The category of a file for a request. */
export const categoryOf = ({ type }: Document): string => type?.trim() || OTHER_CATEGORY

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

/** Adds a document at the top, in place of one with the same id and of the request that it answers. */
export function addDocument(documents: readonly Document[], created: Document): Document[] {
  return [created, ...documents.filter(({ id }) => id !== created.id && id !== created.request?.id)]
}

/**
 * Puts the uploaded document in the place of the requested or older one. If the server assigned the upload to another
 * request, that request is removed too.
 */
export function replaceDocument(
  documents: readonly Document[],
  oldId: string,
  created: Document,
): Document[] {
  if (!documents.some(({ id }) => id === oldId)) return addDocument(documents, created)
  return documents
    .filter(({ id }) => id === oldId || (id !== created.id && id !== created.request?.id))
    .map((document) => (document.id === oldId ? created : document))
}

/**
 * The React key of a document's card. A file that answers a request gets the id of the request, so that the card keeps
 * its focus; it gets its own id if the request is open again, or has several files.
 */
export function cardIdOf({ id, request }: Document, documents: readonly Document[]): string {
  if (!request) return id
  const ofRequest = documents.filter(
    (one) => one.id === request.id || one.request?.id === request.id,
  )
  return ofRequest.length === 1 ? request.id : id
}

const isSameText = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** A file that answers a request keeps the name of the request as its title. */
export const titleOf = ({ name, request }: Document): string => request?.name || name

/** The type of a document, unless the title says the same. */
export function typeBeside(document: Document): string | undefined {
  const type = document.type?.trim()
  return type && !isSameText(type, titleOf(document)) ? type : undefined
}

/** The types of open requests. Other is left out: the server does not know which request it would answer. */
export function requestedTypes(documents: readonly Document[]): string[] {
  const types = documents.filter(isRequested).map(({ type }) => type?.trim() ?? '')
  return [...new Set(types)].filter((type) => type !== '' && type !== OTHER_CATEGORY)
}

export interface CategoryGroup {
  label: string
  options: string[]
}

/** Categories of open requests come first, under a label of their own. */
export function groupCategories(
  categories: readonly string[],
  requested: readonly string[],
): readonly (string | CategoryGroup)[] {
  const first = requested.filter((type) => categories.includes(type))
  if (first.length === 0) return categories
  return [
    { label: 'We asked for', options: first },
    { label: 'More categories', options: categories.filter((name) => !first.includes(name)) },
  ]
}

/** `2 requested, 1 uploaded`; empty without documents. */
export function countText(documents: readonly Document[]): string {
  if (documents.length === 0) return ''
  const requested = documents.filter(isRequested).length
  return `${requested} requested, ${documents.length - requested} uploaded`
}

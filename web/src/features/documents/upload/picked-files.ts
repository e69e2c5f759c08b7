import {
  MAX_FILES,
  NO_CATEGORY_MESSAGE,
  OTHER_CATEGORY,
  type Document,
} from '@guidon/contract/documents'
import { categoryOf } from '../document-list.ts'
import { uniquePhotoName } from '../unique-photo-name.ts'
import type { SendProgress } from './sending.ts'
import type { Failure } from './upload-failures.ts'

type Progress =
  | { kind: 'ready' }
  /** Queued behind another file. */
  | { kind: 'waiting' }
  | ({ kind: 'sending' } & SendProgress)
  | ({ kind: 'failed' } & Failure)

export const READY = { kind: 'ready' } as const

export interface PickedFile {
  key: string
  file: File
  /** The name to send it with. */
  name: string
  category: string
  /** What the user writes about the file; empty for nothing. */
  note: string
  /** The requested document that this file is for. */
  request: Document | undefined
  /** An upload of this file that was not finished. */
  unfinishedId?: string | undefined
  progress: Progress
}

/** The reason of a refusal, and the names of the files it concerns. */
export interface RefusedFiles {
  message: string
  names: string[]
}

export const ONE_FILE_MESSAGE =
  'This request takes one file. To send several pages, take or join photos: they become one PDF.'

/** How many files can still be added: a request takes one. */
export function remainingFor(request: Document | undefined, picked: readonly PickedFile[]): number {
  const all = Math.max(0, MAX_FILES - picked.length)
  if (request === undefined) return all
  return picked.some((pickedFile) => pickedFile.request?.id === request.id) ? 0 : Math.min(all, 1)
}

/** Adds files up to the limit. */
export function addFiles(
  picked: readonly PickedFile[],
  files: readonly File[],
  newKey: () => string,
  request?: Document,
): { picked: PickedFile[]; tooMany: boolean } {
  const remaining = remainingFor(request, picked)
  const added = files.slice(0, remaining).map((given) => newFile(newKey(), given, request))
  return { picked: [...picked, ...added], tooMany: files.length > remaining }
}

function newFile(key: string, given: File, request: Document | undefined): PickedFile {
  const file = uniquePhotoName(given)
  const category = request ? categoryOf(request) : ''
  return { key, file, name: file.name, category, note: '', request, progress: READY }
}

export function updateFile(
  picked: readonly PickedFile[],
  key: string,
  change: Partial<PickedFile>,
): PickedFile[] {
  return picked.map((pickedFile) =>
    pickedFile.key === key ? { ...pickedFile, ...change } : pickedFile,
  )
}

export const removeFile = (picked: readonly PickedFile[], key: string): PickedFile[] =>
  picked.filter((pickedFile) => pickedFile.key !== key)

export const isUploading = ({ progress }: PickedFile): boolean =>
  progress.kind === 'sending' || progress.kind === 'waiting'

/** False during the upload, and after a failure that only another file can fix. */
export const canSend = ({ progress }: PickedFile): boolean =>
  progress.kind === 'ready' || (progress.kind === 'failed' && progress.remedy !== 'other-file')

export const lacksCategory = (pickedFile: PickedFile): boolean =>
  canSend(pickedFile) && pickedFile.category === ''

/** The server's categories without duplicates, and Other always last. */
export function withOtherLast(given: readonly string[] = []): string[] {
  return [...new Set([...given].filter((name) => name !== OTHER_CATEGORY)), OTHER_CATEGORY]
}

/** Categories for a file: those not chosen for another file, and Other, which may repeat. */
export function categoriesFor(
  key: string,
  picked: readonly PickedFile[],
  categories: readonly string[],
): string[] {
  const taken = new Set(
    picked.filter((pickedFile) => pickedFile.key !== key).map(({ category }) => category),
  )
  return categories.filter((name) => name === OTHER_CATEGORY || !taken.has(name))
}

/** The full message at the first file without a category, and a short one at the others. */
export function categoryErrorOf(
  pickedFile: PickedFile,
  picked: readonly PickedFile[],
): string | undefined {
  if (!lacksCategory(pickedFile)) return undefined
  return pickedFile === picked.find(lacksCategory)
    ? NO_CATEGORY_MESSAGE
    : 'This file needs a category too.'
}

export const failureLines = (picked: readonly PickedFile[]): string[] =>
  picked.flatMap(({ file, progress }) =>
    progress.kind === 'failed' ? `${file.name}: ${progress.message}` : [],
  )

/** One entry for each message. */
export function groupByMessage(
  checked: readonly { file: File; refusal: string | undefined }[],
): RefusedFiles[] {
  const messages = new Set(checked.flatMap(({ refusal }) => refusal ?? []))
  return [...messages].map((message) => ({
    message,
    names: checked.filter(({ refusal }) => refusal === message).map(({ file }) => file.name),
  }))
}

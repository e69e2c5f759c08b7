import { MAX_FILES, NO_CATEGORY, OTHER_CATEGORY } from '@guidon/contract/documents'
import { uniquePhotoName } from '../unique-photo-name.ts'

type Progress =
  | { kind: 'ready' }
  /** Queued behind another file. */
  | { kind: 'waiting' }
  /** From 0 to 1; at 1 the server checks the file. */
  | { kind: 'sending'; share: number }
  | { kind: 'failed'; message: string }

export interface PickedFile {
  key: string
  file: File
  category: string
  progress: Progress
}

/** Adds files up to the limit. */
export function addFiles(
  picked: readonly PickedFile[],
  files: readonly File[],
  newKey: () => string,
): { picked: PickedFile[]; tooMany: boolean } {
  const remaining = Math.max(0, MAX_FILES - picked.length)
  const added = files.slice(0, remaining).map((file): PickedFile => ({
    key: newKey(),
    file: uniquePhotoName(file),
    category: '',
    progress: { kind: 'ready' },
  }))
  return { picked: [...picked, ...added], tooMany: files.length > remaining }
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
  if (pickedFile.category !== '') return undefined
  const first = picked.find(({ category }) => category === '')
  return pickedFile === first ? NO_CATEGORY : 'This file needs a category too.'
}

export const failureLines = (picked: readonly PickedFile[]): string[] =>
  picked.flatMap(({ file, progress }) =>
    progress.kind === 'failed' ? `${file.name}: ${progress.message}` : [],
  )

import { LAUNCH_ACTIONS } from './pdf-names.ts'
import type { ObjectReader, PdfDictionary, PdfObject, PdfValue } from './pdf-objects.ts'

const PACKINGS = new Set<PdfValue>(['/FlateDecode', '/Fl', '/LZWDecode', '/LZW'])
/** Forms that send themselves or read other files are as active as scripts. */
const SCRIPT_ACTIONS = new Set(['/JavaScript', '/SubmitForm', '/ImportData'])
const SCRIPT_KEYS = ['/JS', '/XFA']
const FILE_KEYS = new Set(['/F', '/UF', '/DOS', '/Mac', '/Unix'])

const isReference = (value: PdfValue | undefined): value is string =>
  typeof value === 'string' && /^\d+ \d+ R$/.test(value)
const isDictionary = (value: PdfValue | undefined): value is PdfDictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a PDF's objects say that they do. */
export class PdfFindings implements ObjectReader {
  startsProgram = false
  hasScripts = false
  /** Names of attached files, as they are written. */
  readonly fileNames: string[] = []
  /** References of the streams of attached files, or of dictionaries that name those. */
  readonly #files = new Set<string>()
  readonly #filters: PdfValue[] = []
  /** Objects that a filter or an attachment may refer to. */
  readonly #referred = new Map<string, PdfValue>()

  object(reference: string, object: PdfObject): void {
    if ('stream' in object) {
      const { dict } = object.stream
      if (dict['/Type'] === '/EmbeddedFile') this.#files.add(reference)
      const filter = dict['/Filter']
      if (Array.isArray(filter) || isReference(filter)) this.#filters.push(filter)
      this.#look(dict)
      return
    }
    const { value } = object
    if (typeof value === 'string') this.#action(value)
    if (isReferred(value)) this.#referred.set(reference, value)
    this.#look(value)
  }

  /** References of the streams of attached files. */
  files(): string[] {
    return [...this.#files].flatMap((reference) => {
      const named = this.#referred.get(reference)
      return isDictionary(named) ? Object.values(named).filter(isReference) : [reference]
    })
  }

  isPackedTwice(): boolean {
    const resolved = (value: PdfValue) =>
      isReference(value) ? (this.#referred.get(value) ?? null) : value
    return this.#filters.some((filter) => {
      const names = [resolved(filter)].flat().flatMap(resolved)
      return names.filter((name) => PACKINGS.has(name)).length > 1
    })
  }

  #look(root: PdfValue): void {
    const waiting = [root]
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (Array.isArray(value)) waiting.push(...value.filter(isCompound))
      else if (isDictionary(value)) {
        this.#dictionary(value)
        waiting.push(...Object.values(value).filter(isCompound))
      }
    }
  }

  #dictionary(dictionary: PdfDictionary): void {
    const { '/S': action, '/Subtype': subtype, '/EF': files } = dictionary
    if (typeof action === 'string') this.#action(action)
    if (subtype === '/RichMedia') this.startsProgram = true
    if (SCRIPT_KEYS.some((key) => dictionary[key] !== undefined)) this.hasScripts = true
    if (files === undefined) return
    const references = isDictionary(files) ? Object.values(files) : [files]
    for (const reference of references.filter(isReference)) this.#files.add(reference)
    for (const key of FILE_KEYS) {
      const name = dictionary[key]
      if (typeof name === 'string') this.fileNames.push(name)
    }
  }

  #action(name: string): void {
    if (LAUNCH_ACTIONS.includes(name)) this.startsProgram = true
    if (SCRIPT_ACTIONS.has(name)) this.hasScripts = true
  }
}

const isCompound = (value: PdfValue) => typeof value === 'object' && value !== null

/** A filter, several of them, or the streams of one attached file. */
function isReferred(value: PdfValue): boolean {
  if (typeof value === 'string') return PACKINGS.has(value)
  if (Array.isArray(value)) {
    return value.length < 10 && value.every((part) => typeof part === 'string')
  }
  return isDictionary(value) && Object.keys(value).every((key) => FILE_KEYS.has(key))
}

import { LAUNCH_ACTIONS } from './pdf-names.ts'
import type { ObjectReader, PdfDictionary, PdfObject, PdfValue } from './pdf-objects.ts'

const PACKINGS = new Set<PdfValue>(['/FlateDecode', '/Fl', '/LZWDecode', '/LZW'])
/** Actions that submit a form or read other files count as scripts. */
const SCRIPT_ACTIONS = new Set(['/JavaScript', '/SubmitForm', '/ImportData'])
const SCRIPT_KEYS = ['/JS', '/XFA']
const FILE_KEYS = new Set(['/F', '/UF', '/DOS', '/Mac', '/Unix'])

const isReference = (value: PdfValue | undefined): value is string =>
  typeof value === 'string' && /^\d+ \d+ R$/.test(value)
const isDictionary = (value: PdfValue | undefined): value is PdfDictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Collects what the objects of a PDF do. */
export class PdfFindings implements ObjectReader {
  startsProgram = false
  hasScripts = false
  /** Names of attached files, as qpdf writes them. */
  readonly fileNames: string[] = []
  /** References of attached streams, or of dictionaries that contain such references. */
  readonly #files = new Set<string>()
  readonly #filters: PdfValue[] = []
  /** Objects that a filter or an attachment can refer to. */
  readonly #referred = new Map<string, PdfValue>()

  object(reference: string, object: PdfObject): void {
    if ('stream' in object) {
      const { dict } = object.stream
      if (dict['/Type'] === '/EmbeddedFile') this.#files.add(reference)
      const filter = dict['/Filter']
      if (Array.isArray(filter) || isReference(filter)) this.#filters.push(filter)
      this.#visit(dict)
      return
    }
    const { value } = object
    if (typeof value === 'string') this.#visitAction(value)
    if (isReferred(value)) this.#referred.set(reference, value)
    this.#visit(value)
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

  #visit(root: PdfValue): void {
    const waiting = [root]
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (Array.isArray(value)) waiting.push(...value.filter(isCompound))
      else if (isDictionary(value)) {
        this.#visitDictionary(value)
        waiting.push(...Object.values(value).filter(isCompound))
      }
    }
  }

  #visitDictionary(dictionary: PdfDictionary): void {
    const { '/S': action, '/Subtype': subtype, '/EF': files } = dictionary
    if (typeof action === 'string') this.#visitAction(action)
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

  #visitAction(name: string): void {
    if (LAUNCH_ACTIONS.includes(name)) this.startsProgram = true
    if (SCRIPT_ACTIONS.has(name)) this.hasScripts = true
  }
}

const isCompound = (value: PdfValue) => typeof value === 'object' && value !== null

/** Whether a filter or an attachment can refer to this value. */
function isReferred(value: PdfValue): boolean {
  if (typeof value === 'string') return PACKINGS.has(value)
  if (Array.isArray(value)) {
    return value.length < 10 && value.every((part) => typeof part === 'string')
  }
  return isDictionary(value) && Object.keys(value).every((key) => FILE_KEYS.has(key))
}
